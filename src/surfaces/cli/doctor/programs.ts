import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type CheckFinding, finding } from '../../../agents/finding.ts'
import { findProgram, searchPath } from '../../../platform/programs.ts'
import type { CheckContext } from './context.ts'

/** Programs that vigil may run; a system has some of them. */
const PROGRAMS = [
  ...['tmux', 'git', 'gh', 'notify-send', 'gdbus', 'osascript', 'xdg-open', 'wslview', 'open'],
  ...['ps', 'lsof', 'tty', 'systemctl', 'pw-play', 'paplay', 'afplay', 'ffplay', 'aplay'],
]

/**
 * SPEC PF4. Which folders programs are taken from, and which folders of PATH are ignored, with the
 * reason.
 */
export function checkPrograms({ env }: CheckContext): CheckFinding[] {
  const { leftOut } = searchPath(env)
  const found = PROGRAMS.flatMap((name) => findProgram(name, env) ?? [])
  const hidden = leftOut.flatMap(({ folder, why }) => {
    const missing = PROGRAMS.filter((name) => onlyIn(name, folder, env))
    return missing.length === 0 ? [] : { folder, why, missing }
  })
  const notes = leftOut.map(
    ({ folder, why }) => `vigil does not run programs from ${folder}: ${why}`,
  )
  return [
    finding.ok('programs', found.join(' ') || 'none found', { notes, figures: { found, leftOut } }),
    ...hidden.map(({ folder, why, missing }) =>
      finding.warning(
        'programs',
        `${missing.join(', ')} in ${folder} is not run: ${why}`,
        'install it for the whole machine, or in a folder of yours outside of projects',
      ),
    ),
  ]
}

/** The program would run from there if the folder were trusted. */
function onlyIn(name: string, folder: string, env: CheckContext['env']): boolean {
  return findProgram(name, env) === undefined && existsSync(join(folder, name))
}
