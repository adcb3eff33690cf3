import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, it, type TestContext } from 'vitest'

/** What a machine may lack, in words; undefined if it has it. */
export const NO_TMUX = answers('tmux', '-V') ? undefined : 'tmux is not installed'
export const NO_BUSYBOX = answers('busybox', 'true') ? undefined : 'BusyBox is not installed'
export const NO_PROC = existsSync('/proc/self/stat') ? undefined : 'there is no /proc'
export const NO_SPACES = answers('unshare', '--pid', '--fork', '--mount-proc', 'true')
  ? undefined
  : 'no namespace of processes can be made'
export const NOT_ROOT = process.getuid?.() === 0 ? undefined : 'needs root'

/**
 * A block of tests, unless something is missing: then they are skipped, and their title says why.
 * `npm test` lists the reasons last.
 */
export function describeUnless(missing: string | undefined) {
  return (title: string, body: () => void) =>
    missing === undefined ? describe(title, body) : describe.skip(because(title, missing), body)
}

export function itUnless(missing: string | undefined) {
  return (title: string, body: (context: TestContext) => void | Promise<void>) =>
    missing === undefined ? it(title, body) : it.skip(because(title, missing), body)
}

function because(title: string, missing: string): string {
  return `${title} (skipped: ${missing})`
}

function answers(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
