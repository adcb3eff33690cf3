import { createContext, useContext, useSyncExternalStore } from 'react'
import type { PageState } from '../model/state.ts'
import type { PageStore } from './store.ts'

export const StoreContext = createContext<PageStore | null>(null)

export function useStore(): PageStore {
  const store = useContext(StoreContext)
  if (!store) throw new Error('no store: the page has not started')
  return store
}

/** Renders again only when the selected part of the state changes. */
export function useChosen<T>(choose: (state: PageState) => T): T {
  const store = useStore()
  return useSyncExternalStore(store.subscribe, () => choose(store.state))
}
