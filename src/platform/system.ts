import { existsSync } from 'node:fs'

/**
 * SPEC PT1. Everything that differs between systems is in this folder. In the portable mode Linux
 * does without what macOS lacks, so that macOS's code is tested on Linux.
 */
export const IS_PORTABLE = process.env.VIGIL_PORTABLE === '1'

export const SYSTEM: NodeJS.Platform = process.platform
export const IS_MAC = SYSTEM === 'darwin'
export const IS_LINUX = SYSTEM === 'linux'

/** Where `/proc` shows processes, open files and connections; elsewhere programs do. */
export const HAS_PROC = !IS_PORTABLE && existsSync('/proc/self/stat')

/** SPEC PT9. Why vigil cannot run on a system; undefined where it can. */
export function whyNotHere(system: NodeJS.Platform = SYSTEM): string | undefined {
  if (system !== 'win32') return undefined
  return 'Windows is not supported: install vigil inside WSL, where the agents run'
}
