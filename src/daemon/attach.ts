import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AttachedSurface, SurfaceContext, SurfaceTable } from '../client/surface-context.ts'

/** Time for a surface to restore what it changed; the daemon's end waits no longer. */
const CLOSE_MAX_MS = 2_000

/** The error handler, available to everything a surface has started: timers, watches, promises. */
const withinSurface = new AsyncLocalStorage<(error: unknown) => void>()

/** SPEC VW20. Each surface has its own context: an error in one does not affect the others. */
export function attachAll(surfaces: SurfaceTable, context: SurfaceContext): AttachedSurface {
  const attached = Object.entries(surfaces).flatMap(([name, attach]) => {
    const failed = failureOf(name, context)
    const parts = guarded(failed, () => attach(guardedContext(context, failed)))
    return (parts ?? []).map((part) => ({ name, part, failed }))
  })
  return {
    close: async () => {
      await Promise.all(
        attached.map(async ({ name, part, failed }) => {
          const closing = guarded(failed, async () => part.close())
          const late = sleep(CLOSE_MAX_MS, 'late', { ref: false })
          const outcome = await Promise.race([closing?.catch(failed), late])
          if (outcome === 'late') context.complain('a surface does not stop', { surface: name })
        }),
      )
    },
  }
}

/** SPEC VW21. The handler of an uncaught error, if a surface caused it. */
export function surfaceAtFault(): ((error: unknown) => void) | undefined {
  return withinSurface.getStore()
}

type Failed = (error: unknown) => void

function failureOf(name: string, { complain, trouble }: SurfaceContext): Failed {
  return (error) => {
    const { message = String(error), stack } = error as Partial<Error>
    complain('a surface failed', { surface: name, error: message, stack })
    trouble(`surface ${name}`, `failed: ${message}`)
  }
}

function guarded<T>(failed: Failed, act: () => T): T | undefined {
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
 * The daemon calls a surface only in the surface's own context, and a surface calls the daemon only
 * outside of it: what the engine starts on its behalf belongs to the engine, and so do its errors.
 */
function guardedContext(context: SurfaceContext, failed: Failed): SurfaceContext {
  const { changes, requests, settings, remote } = context
  const inside = (call?: () => void) => call && (() => void guarded(failed, call))
  return {
    ...context,
    sessions: () => outside(() => context.sessions()),
    session: (id) => outside(() => context.session(id)),
    statusFrom: (id) => outside(() => context.statusFrom(id)),
    changes: {
      after: (id, limit) => outside(() => changes.after(id, limit)),
      onChange: (listener) => changes.onChange(() => void guarded(failed, listener)),
    },
    requests: {
      list: (filter) => outside(() => requests.list(filter)),
      answer: (id, answer, who) => outside(() => requests.answer(id, answer, who)),
      outcome: (report) => outside(() => requests.outcome(report)),
    },
    ...(remote && {
      remote: {
        rows: () => outside(() => remote.rows()),
        onRow: (listener) => remote.onRow((news) => void guarded(failed, () => listener(news))),
      },
    }),
    settings: {
      get now() {
        return settings.now
      },
      follow: (listener) => settings.follow((now) => void guarded(failed, () => listener(now))),
    },
    onTouched: (listener) => context.onTouched((ids) => void guarded(failed, () => listener(ids))),
    take: (arrivals, saved, learnt) =>
      outside(() => context.take(arrivals, inside(saved), inside(learnt))),
  }
}

function outside<T>(act: () => T): T {
  return withinSurface.exit(act)
}
