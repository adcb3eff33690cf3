import type { ChildProcess } from 'node:child_process'

/** By which others end us. */
export const ASKED_TO_END: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT']

/**
 * Starts a command that stands in our place: what others send to us is passed on to it. We listen
 * from before it begins, so that a signal that comes while it starts reaches it and not us alone.
 */
export function startInOurPlace<T extends ChildProcess>(
  start: () => T,
  signals: readonly NodeJS.Signals[],
  isOurs: (signal: NodeJS.Signals) => boolean = () => true,
): T {
  let child: T | undefined
  for (const signal of signals)
    process.on(signal, () => {
      if (isOurs(signal)) child?.kill(signal)
    })
  child = start()
  return child
}
