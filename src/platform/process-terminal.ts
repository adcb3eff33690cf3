import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { pathTo } from './programs.ts'
import { psArgs } from './ps-table.ts'
import { HAS_PROC } from './system.ts'

/** The terminal of a process. */
export interface ProcessTerminal {
  /** Its terminal, as `/dev/…`. */
  readonly tty: string
  /** It gets the keys typed there; not while it is stopped or runs in the background. */
  readonly inFront: boolean
}

const ANSWER_MAX_MS = 2_000

/** The terminal of a process; undefined for one without a terminal, or gone. */
export async function terminalOf(pid: number): Promise<ProcessTerminal | undefined> {
  const stat = HAS_PROC && (await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ''))
  const seat = stat === false ? 'elsewhere' : stat === '' ? undefined : terminalInStat(stat)
  return seat === 'elsewhere' ? terminalInPs(await ps(pid)) : seat
}

/**
 * A line of /proc: the name may have spaces and brackets, so the last bracket ends it. Terminals of
 * tmux are pseudo terminals, whose numbers are known; others are left to ps.
 */
export function terminalInStat(stat: string): ProcessTerminal | 'elsewhere' | undefined {
  const [state, , group, , terminal, front] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const device = Number(terminal)
  if (!(device > 0)) return undefined
  const major = (device >> 8) & 0xfff
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00)
  if (major < PTS_MAJOR || major > PTS_MAJOR + 7) return 'elsewhere'
  const tty = `/dev/pts/${(major - PTS_MAJOR) * 256 + minor}`
  return { tty, inFront: group === front && state !== 'T' }
}

const PTS_MAJOR = 136

/** `pts/3 4711 4711 S+` */
export function terminalInPs(said: string): ProcessTerminal | undefined {
  const [tty = '', group, front, state = ''] = said.trim().split(/\s+/)
  if (tty === '' || /^(\?+|-)$/.test(tty)) return undefined
  const inFront = group === front && !state.startsWith('T')
  return { tty: tty.startsWith('/dev/') ? tty : `/dev/${tty}`, inFront }
}

function ps(pid: number): Promise<string> {
  const args = psArgs(['-p', String(pid)], ['tty', 'pgid', 'tpgid', 'stat'])
  return new Promise((resolve) => {
    execFile(pathTo('ps'), args, { timeout: ANSWER_MAX_MS }, (_, stdout) => resolve(stdout))
  })
}
