import { joinedEvents } from '../../../view/board/after-event.ts'
import { routeOf } from '../model/route.ts'
import { initialPage, type PageEffect, type PageEvent, type PageState } from '../model/state.ts'
import { updatePage } from '../model/update.ts'
import { cameByItself } from './arrived.ts'

/**
 * A hidden tab gets no frames, not even the one that was requested while it was visible; its title
 * must be updated all the same.
 */
const FRAMELESS_MS = 250

export const WIDE_QUERY = '(min-width: 60rem)'

/** The one state of the page. Events from the daemon are handled once a frame, all together. */
export class PageStore {
  #state = initialPage(
    Date.now(),
    routeOf(location.hash),
    matchMedia(WIDE_QUERY).matches,
    !cameByItself,
  )
  readonly #listeners = new Set<() => void>()
  readonly #doers = new Set<(effect: PageEffect) => void>()
  #waiting: PageEvent[] = []
  #due = false

  get state(): PageState {
    return this.#state
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Registers the function that carries out the model's effects. */
  readonly onEffect = (doer: (effect: PageEffect) => void): (() => void) => {
    this.#doers.add(doer)
    return () => this.#doers.delete(doer)
  }

  /** The user's actions are shown at once. */
  readonly send = (event: PageEvent): void => {
    const waiting = this.#waiting
    this.#waiting = []
    this.#take([...waiting, event])
  }

  readonly later = (event: PageEvent): void => {
    this.#waiting.push(event)
    if (this.#due) return
    this.#due = true
    const flush = () => {
      if (!this.#due) return
      clearTimeout(timer)
      this.#due = false
      const waiting = this.#waiting
      this.#waiting = []
      if (waiting.length > 0) this.#take(waiting)
    }
    const timer = setTimeout(flush, FRAMELESS_MS)
    requestAnimationFrame(flush)
  }

  #take(events: readonly PageEvent[]): void {
    const effects: PageEffect[] = []
    for (const event of joinedEvents(events)) {
      const step = updatePage(this.#state, event)
      this.#state = step.state
      effects.push(...step.effects)
    }
    for (const listener of this.#listeners) listener()
    if (effects.length === 0) return
    // React draws in a microtask that runs before this one: a row must exist before it can have the
    // focus.
    queueMicrotask(() => {
      for (const effect of effects) for (const doer of this.#doers) doer(effect)
    })
  }
}
