import { useEffect, useState } from 'react'
import { selectedOf } from '../../../view/board/board.ts'
import { DetailsLoader } from '../../details-loader.ts'
import { api, detailsApi, sessionPath } from '../api.ts'
import { addressHash, routeOf } from '../model/route.ts'
import type { PageEffect } from '../model/state.ts'
import { follow } from './follow.ts'
import { keyNameOf } from './key-names.ts'
import { Notifier } from './notifier.ts'
import { PageStore, WIDE_QUERY } from './store.ts'
import { showOnTab } from './tab.ts'

const SECOND_MS = 1_000

/** Starts everything that the page needs, and ends it with the page. */
export function usePage(): PageStore {
  const [store] = useState(() => new PageStore())
  useEffect(() => {
    const over = new AbortController()
    const { signal } = over
    const ends = [listenTo(store, signal), store.onEffect((effect) => act(store, effect))]
    const now = () => store.state.now
    void follow({ tell: store.later, now, signal })
    return () => {
      over.abort()
      for (const end of ends) end()
    }
  }, [store])
  return store
}

/** Listens to time, window and keys, and carries out effects outside the page. */
function listenTo(store: PageStore, signal: AbortSignal): () => void {
  const clock = clockOf(store)
  const details = new DetailsLoader(detailsApi, (loaded) =>
    store.send({ kind: 'details', details: loaded, now: clock() }),
  )
  const notifier = new Notifier()
  const wide = matchMedia(WIDE_QUERY)
  const timer = setInterval(() => store.later({ kind: 'passed', now: clock() }), SECOND_MS)
  const forget = store.subscribe(() => {
    details.select(selectedOf(store.state))
    notifier.take(store.state)
    showOnTab(store.state)
  })
  const acted = () => store.send({ kind: 'acted', now: clock() })
  const focus = () => store.send({ kind: 'focus', focused: document.hasFocus() })
  wide.addEventListener('change', () => store.send({ kind: 'wide', wide: wide.matches }), {
    signal,
  })
  for (const name of ['focus', 'blur']) addEventListener(name, focus, { signal })
  followAttention(store, signal)
  const went = () => store.send({ kind: 'went', route: routeOf(location.hash) })
  addEventListener('hashchange', went, { signal })
  for (const name of ['pointerdown', 'wheel', 'touchmove'])
    addEventListener(name, acted, { signal, passive: true })
  addEventListener('keydown', (event) => pressed(store, event, clock()), { signal })
  return () => {
    clearInterval(timer)
    forget()
    details.stop()
    notifier.stop()
  }
}

/** SPEC SH10. After load, focus and becoming visible, no action is meant for a session yet. */
function followAttention(store: PageStore, signal: AbortSignal): void {
  const look = () => {
    const here = document.hasFocus() && document.visibilityState === 'visible'
    // The terminal's frame may take and return the focus: the window is in front all along.
    if (here === (store.state.arming.hereSince !== null)) return
    store.send({ kind: 'attention', here, at: performance.now() })
  }
  const anew = () => {
    store.send({ kind: 'attention', here: false, at: performance.now() })
    look()
  }
  for (const name of ['focus', 'blur']) addEventListener(name, look, { signal })
  document.addEventListener('visibilitychange', anew, { signal })
  addEventListener('pageshow', anew, { signal })
  // Before any other listener of the page, whatever the event's target.
  const touched = (event: Event) => {
    const pressed = event instanceof PointerEvent ? { x: event.clientX, y: event.clientY } : null
    store.send({ kind: 'touched', at: performance.now(), pressed })
  }
  for (const name of ['keydown', 'pointerdown'])
    addEventListener(name, touched, { signal, capture: true, passive: true })
  look()
}

/** The daemon's clock: its last known time plus what has passed here since. */
function clockOf(store: PageStore): () => number {
  let [seen, at] = [store.state.now, performance.now()]
  store.subscribe(() => {
    if (store.state.now === seen) return
    ;[seen, at] = [store.state.now, performance.now()]
  })
  return () => seen + (performance.now() - at)
}

/** Keys typed into a field belong to the field; keys with a meaning in the browser keep it. */
function pressed(store: PageStore, event: KeyboardEvent, now: number): void {
  // SPEC SH10. Only events that a person caused.
  if (!event.isTrusted) return
  const key = keyNameOf(event)
  const target = event.target instanceof Element ? event.target : null
  if (key === null || event.defaultPrevented || target?.closest('dialog')) return
  const field = target?.closest('input, textarea, select')
  if (field && !(field.id === 'search' && SEARCH_KEYS.includes(key))) return
  if (key === 'enter' && target?.closest('button, a:not(.row), summary, label')) return
  if (SCROLL_KEYS.includes(key) && target?.closest('[data-scrolls]')) return
  event.preventDefault()
  // A key that is held down answers once.
  if (event.repeat && ANSWER_KEYS.includes(key)) return
  store.send({ kind: 'key', key, now, at: performance.now() })
}

const ANSWER_KEYS = ['y', 'd']
const SEARCH_KEYS = ['up', 'down', 'escape', 'enter']
const SCROLL_KEYS = ['up', 'down', 'pageup', 'pagedown', 'home', 'end']

function act(store: PageStore, effect: PageEffect): void {
  if (effect.do === 'go') {
    const hash = addressHash(effect.route)
    if (effect.new) history.pushState(null, '', hash)
    else history.replaceState(null, '', hash)
  }
  if (effect.do === 'back') history.back()
  if (effect.do === 'search') document.getElementById('search')?.focus()
  if (effect.do === 'leave-search') document.getElementById('search')?.blur()
  if (effect.do === 'focus-session') document.getElementById('session')?.focus()
  if (effect.do === 'read') void read(store, effect.session.id)
}

async function read(store: PageStore, session: string): Promise<void> {
  try {
    await api.post(sessionPath(session, 'look'), {})
  } catch (error) {
    store.send({ kind: 'notice', text: (error as Error).message, tone: 'bad' })
  }
}
