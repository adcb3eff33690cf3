import { execFile } from 'node:child_process'
import { pathTo } from '../../platform/programs.ts'

/** `tmux 3.3a`; undefined if tmux is not installed. */
export function tmuxVersion(): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(pathTo('tmux'), ['-V'], { timeout: 3_000 }, (error, stdout) =>
      resolve(error ? undefined : stdout.trim()),
    )
  })
}

/** Client flags and subscriptions came with 3.2. A version without a number is newer. */
export function isOldTmux(version: string): boolean {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(version) ?? []
  if (major === undefined || minor === undefined) return false
  return Number(major) < 3 || (Number(major) === 3 && Number(minor) < 2)
}
