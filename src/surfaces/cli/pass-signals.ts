import type { ChildProcess } from 'node:child_process'

/** Signals by which other processes ask this one to end. */
export const END_SIGNALS: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT']

/**
 * Starts a command that takes this process's place: signals to this process are passed on. The
 * handlers are set before the start, so that a signal during the start reaches the command.
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
