import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Folders } from '../home/folders.ts'
import type { AdminPolicy } from '../home/policy.ts'
import type { Complain, Sink } from '../sources/arrival.ts'
import type { Feed, Fleet } from './fleet.ts'
import type { LiveSettings } from './live-settings.ts'

/** What a surface that acts by itself stands on: it lives in the daemon's process. */
export interface Ground {
  readonly fleet: Fleet
  readonly folders: Folders
  readonly settings: Pick<LiveSettings, 'now' | 'follow'>
  readonly policy: Pick<AdminPolicy, 'allows'>
  /** Sessions that something was heard of, also where no verdict changed; returns how to stop. */
  readonly onTouched: (listener: (ids: ReadonlySet<string>) => void) => () => void
  /** What it sees of its user goes back as reports. */
  readonly take: Sink
  /** A way in which requests can be answered stands, or does no more. */
  readonly couldAnswer: (way: string, able: boolean) => void
  readonly complain: Complain
  /** Shown by `vigil doctor` for as long as it stands; none ends it. */
  readonly trouble: (about: string, what: string | undefined) => void
}

export interface Attached {
  close(): Promise<void> | void
}

export type Attach = (ground: Ground) => readonly Attached[]

/** Surfaces by name. */
export type Surfaces = Readonly<Record<string, Attach>>

/** Whoever restores what he changed has this long; the daemon's end waits for no surface more. */
const CLOSE_MAX_MS = 2_000

/** What to do with an error, known to all that a surface has started: timers, watches, promises. */
const withinSurface = new AsyncLocalStorage<(error: unknown) => void>()

/** SPEC VW20. Puts each surface on its own ground; one that throws costs nobody else anything. */
export function attachAll(surfaces: Surfaces, ground: Ground): Attached {
  const attached = Object.entries(surfaces).flatMap(([name, attach]) => {
    const failed = failureOf(name, ground)
    const parts = guarded(failed, () => attach(guardedGround(ground, failed)))
    return (parts ?? []).map((part) => ({ name, part, failed }))
  })
  return {
    close: async () => {
      await Promise.all(
        attached.map(async ({ name, part, failed }) => {
          const closing = guarded(failed, async () => part.close())
          const late = sleep(CLOSE_MAX_MS, 'late', { ref: false })
          const outcome = await Promise.race([closing?.catch(failed), late])
          if (outcome === 'late') ground.complain('surface does not end', { surface: name })
        }),
      )
    },
  }
}

/** SPEC VW21. Who is to be told of an error nobody caught, if a surface is where it arose. */
export function surfaceAtFault(): ((error: unknown) => void) | undefined {
  return withinSurface.getStore()
}

function failureOf(name: string, { complain, trouble }: Ground): (error: unknown) => void {
  return (error) => {
    const { message = String(error), stack } = error as Partial<Error>
    complain('surface failed', { surface: name, error: message, stack })
    trouble(`surface ${name}`, `failed: ${message}`)
  }
}

function guarded<T>(failed: (error: unknown) => void, act: () => T): T | undefined {
  return withinSurface.run(failed, () => {
    try {
      return act()
    } catch (error) {
      failed(error)
      return undefined
    }
  })
}

/**
 * The daemon calls a surface only in its context, and a surface the daemon only outside of it:
 * what the engine starts on its behalf is the engine's, and so are its errors.
 */
function guardedGround(ground: Ground, failed: (error: unknown) => void): Ground {
  const { fleet, settings, take } = ground
  const inside = (call?: () => void) => call && (() => void guarded(failed, call))
  const feed: Feed = {
    firstId: () => outside(() => fleet.feed.firstId()),
    lastId: () => outside(() => fleet.feed.lastId()),
    after: (id, limit) => outside(() => fleet.feed.after(id, limit)),
    onChange: (listener) => fleet.feed.onChange(() => void guarded(failed, listener)),
  }
  return {
    ...ground,
    settings: {
      get now() {
        return settings.now
      },
      follow: (listener) => settings.follow((now) => void guarded(failed, () => listener(now))),
    },
    onTouched: (listener) => ground.onTouched((ids) => void guarded(failed, () => listener(ids))),
    take: (arrivals, saved, learnt) => outside(() => take(arrivals, inside(saved), inside(learnt))),
    fleet: new Proxy(fleet, {
      get: (_, key: keyof Fleet) => {
        if (key === 'feed') return feed
        if (key === 'requests') return outsideAll(fleet.requests)
        const value = fleet[key] as unknown
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => outside(() => value.apply(fleet, given))
      },
    }),
  }
}

/** Every method of it. */
function outsideAll<T extends object>(target: T): T {
  return new Proxy(target, {
    get: (_, key) => {
      const value = target[key as keyof T] as unknown
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => outside(() => value.apply(target, given))
    },
  })
}

function outside<T>(act: () => T): T {
  return withinSurface.exit(act)
}
