import { open } from 'node:fs/promises'
import { type Folders, foldersOf } from '../../home/folders.ts'
import { ACT_NOTED, headFileOf, readHead } from '../../store/audit-head.ts'
import type { ChainedAct } from '../../store/chain.ts'
import { type ChainBreak, ChainCheck, type ChainHead } from '../../store/chain-check.ts'
import { auditOf } from './audit.ts'
import { BadInput } from './bad-input.ts'
import { out } from './output.ts'
import { reach } from './reach.ts'

interface Options {
  readonly json?: boolean
  readonly head?: string
  readonly from?: number
}

/** SPEC AU2, AU3. Prints whether the log, or an export of it, is complete and unchanged. */
export async function verify(file: string | undefined, options: Options): Promise<void> {
  const { head, from, json } = options
  if (head !== undefined && !/^[\da-f]{64}$/.test(head))
    throw new BadInput(`--head ${head}: expected a hash of 64 hexadecimal digits`)
  const found = file === undefined ? await checkLog({ from, head }) : await checkFile(file, options)
  if (json) out.json(found)
  else out.lines(drawn(found, file))
  if (!found.whole) process.exitCode = 1
}

interface Verified {
  readonly whole: boolean
  readonly acts: number
  readonly first: number | null
  readonly last: ChainHead | null
  /** What was compared besides the hashes. */
  readonly headFile: ChainHead | null
  readonly comparedWithLog: number
  readonly broken: number
  readonly breaks: readonly ChainBreak[]
}

type Wanted = Pick<Options, 'from' | 'head'>

async function checkLog({ from, head }: { [Key in keyof Wanted]: Wanted[Key] | undefined }) {
  const folders = foldersOf()
  const client = await reach(folders)
  // Read before the log: an act that is logged meanwhile is newer than these.
  const named = readHead(headFileOf(folders))
  const known = await hashesIn(folders)
  const check = new ChainCheck({ from, known })
  const logged = [...known.values()].at(-1)
  if (logged !== undefined) check.expect(logged, 'vigil.log')
  if (head !== undefined) check.expect(head, '--head')
  if (named) check.expect(named.hash, 'audit-head.json')
  for await (const act of auditOf(client)) check.take(act)
  const missing = check.acts > 0 && !named
  return resultOf(check, named, missing ? 'audit-head.json is missing' : undefined)
}

async function checkFile(file: string, { from, head }: Options): Promise<Verified> {
  const check = new ChainCheck({ from })
  if (head !== undefined) check.expect(head, '--head')
  let number = 0
  try {
    for await (const line of linesOf(file)) {
      number += 1
      if (line !== '') check.take(actIn(line))
    }
  } catch (error) {
    throw new BadInput(`${file}: line ${number}: ${(error as Error).message}`, 1)
  }
  return resultOf(check, undefined, check.acts === 0 ? 'it contains no act' : undefined)
}

function resultOf(check: ChainCheck, headFile?: ChainHead, also?: string): Verified {
  check.end()
  const { acts, first, last, compared, breaks } = check
  const all = also === undefined ? breaks : [...breaks, { act: null, why: also }]
  return {
    whole: all.length === 0,
    acts,
    first: first?.id ?? null,
    last: last ? { act: last.id, hash: last.hash } : null,
    headFile: headFile ?? null,
    comparedWithLog: compared,
    broken: check.broken + (all.length - breaks.length),
    breaks: all,
  }
}

function actIn(line: string): ChainedAct {
  const act = JSON.parse(line) as Partial<ChainedAct> | null
  if (typeof act?.id === 'number' && typeof act.hash === 'string') return act as ChainedAct
  throw new Error('expected an act of `vigil audit export`')
}

function drawn(
  { whole, acts, first, last, breaks, broken, comparedWithLog }: Verified,
  file?: string,
) {
  const span = last
    ? `${acts === 1 ? '1 act' : `${acts} acts`}, ${first} to ${last.act}`
    : 'no acts'
  if (whole && file === undefined && !last) return ['intact: the log has no acts yet']
  const compared =
    file === undefined
      ? ` The newest hash matches audit-head.json; ${comparedWithLog} were compared with vigil.log.`
      : ''
  if (whole) return [`intact: ${span}.${compared}`, ...(last ? [`head: ${last.hash}`] : [])]
  const lines = breaks.map(({ act, why }) => `  ${act === null ? 'the log' : `act ${act}`}: ${why}`)
  const more = broken > breaks.length ? [`  … and ${broken - breaks.length} more`] : []
  return [`BROKEN: ${span}`, ...lines, ...more]
}

/** The daemon rotates its log over four files (log.ts). */
const LOG_FILES = ['.3', '.2', '.1', ''] as const

/** Hashes that the daemon logged when it recorded the acts. */
async function hashesIn({ log }: Folders): Promise<Map<number, string>> {
  const hashes = new Map<number, string>()
  for (const end of LOG_FILES)
    try {
      for await (const line of linesOf(`${log}${end}`)) {
        if (!line.includes(ACT_NOTED)) continue
        const { act, hash, msg } = JSON.parse(line)
        if (msg !== ACT_NOTED || typeof act !== 'number') continue
        // The newest comes last: a number is reused after its act was lost.
        hashes.delete(act)
        hashes.set(act, String(hash))
      }
    } catch {
      // The file is missing, or its last line is incomplete.
    }
  return hashes
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const file = await open(path)
  yield* file.readLines()
}
