export const TABS = ['now', 'timeline', 'why', 'screen'] as const
export type Tab = (typeof TABS)[number]

/** The current view; it is in the address after `#`, which no server sees. */
export type PageRoute =
  | { readonly at: 'board' }
  | { readonly at: 'insight' }
  | { readonly at: 'session'; readonly id: string; readonly tab: Tab }

export function routeOf(hash: string): PageRoute {
  const [, place = '', id = '', tab = ''] = hash.split('/')
  if (place === 'insight') return { at: 'insight' }
  const name = decoded(id)
  if (place !== 's' || name === '') return { at: 'board' }
  return { at: 'session', id: name, tab: TABS.find((one) => one === tab) ?? 'now' }
}

export function addressHash(route: PageRoute): string {
  if (route.at === 'board') return '#/'
  if (route.at === 'insight') return '#/insight'
  const tab = route.tab === 'now' ? '' : `/${route.tab}`
  return `#/s/${encodeURIComponent(route.id.toWellFormed())}${tab}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
