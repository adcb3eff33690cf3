import type { Session } from '../../../protocol/session.ts'
import { began, ended } from '../../../view/board/news.ts'
import { messageOf } from '../../notify/message.ts'
import { addressHash } from '../model/route.ts'
import type { PageState } from '../model/state.ts'

const NAME = 'vigil.notify'

/** Cached: reading the browser's permission takes a millisecond, with every change. */
let wanted = false

export type Notifying = 'on' | 'off' | 'denied' | 'impossible'

export function notifying(): Notifying {
  if (!('Notification' in window)) return 'impossible'
  if (Notification.permission === 'denied') return 'denied'
  return Notification.permission === 'granted' && localStorage.getItem(NAME) === 'on' ? 'on' : 'off'
}

/** Requested by a button, as browsers require. */
export async function switchNotifying(on: boolean): Promise<Notifying> {
  if (on && 'Notification' in window) await Notification.requestPermission()
  localStorage.setItem(NAME, on ? 'on' : 'off')
  wanted = on
  return notifying()
}

/** A call that is over within this time is not worth a notification. */
const SETTLE_MS = 1_000

/** SPEC PG11. Notifies of sessions that begin to need the user while the page is not in front. */
export class Notifier {
  readonly #due = new Map<string, ReturnType<typeof setTimeout>>()
  readonly #shown = new Map<string, Notification>()
  #before: PageState['sessions'] | undefined

  constructor() {
    wanted = notifying() === 'on'
  }

  take({ sessions, loading }: PageState): void {
    if (loading || sessions === this.#before) return
    const before = this.#before
    this.#before = sessions
    if (!before) return
    for (const id of ended(before, sessions)) this.#withdraw(id)
    if (!wanted) return
    for (const session of began(before, sessions)) this.#plan(session)
  }

  stop(): void {
    for (const timer of this.#due.values()) clearTimeout(timer)
    this.#due.clear()
  }

  #withdraw(id: string): void {
    clearTimeout(this.#due.get(id))
    this.#due.delete(id)
    this.#shown.get(id)?.close()
    this.#shown.delete(id)
  }

  #plan(session: Session): void {
    this.#withdraw(session.id)
    const show = () => {
      this.#due.delete(session.id)
      if (!document.hasFocus() && notifying() === 'on') this.#show(session)
    }
    this.#due.set(session.id, setTimeout(show, SETTLE_MS))
  }

  #show(session: Session): void {
    const { title, body } = messageOf('page', Date.now(), [session], { hideSecrets: true })
    const shown = new Notification(title, { body, tag: session.id, icon: '/icon.svg' })
    shown.onclick = () => {
      window.focus()
      location.hash = addressHash({ at: 'session', id: session.id, tab: 'now' })
      shown.close()
    }
    this.#shown.set(session.id, shown)
  }
}
