import type { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import type { AuditedAct } from '../../protocol/act.ts'
import { addressOf } from '../../protocol/address.ts'
import type { AuditQuery } from '../../protocol/parameters.ts'
import { plain } from '../../view/session.ts'
import { verify } from './audit-verify.ts'
import { BadInput } from './bad-input.ts'
import { SESSION_IS, wholeNumber } from './option-words.ts'
import { jsonOf, out } from './output.ts'
import { pickSession } from './pick.ts'
import { reach } from './reach.ts'

interface Options {
  readonly json?: boolean
  readonly session?: string
  readonly since?: number
  readonly limit: number
}

export function addAudit(program: Command): void {
  const audit = program
    .command('audit')
    .description('list everything that was done through vigil, newest last')
    .enablePositionalOptions()
    .option('--session <name>', `only acts on one session: ${SESSION_IS}`)
    .option('--since <when>', 'only acts from then on: 30m, 12h, 7d or a date', toTime)
    .option(
      '--limit <number>',
      'how many of the newest acts to show, unless --since is given',
      wholeNumber('--limit', 1, PAGE),
      50,
    )
    .option('--json', 'print one JSON object per line, with hashes and what was shown')
    .addHelpText('after', HELP)
    .action((options: Options) => list(options))
  audit
    .command('verify')
    .description('check that no act was changed, removed or inserted; exit code 1 if one was')
    .argument('[file]', 'check this export instead of the log')
    .option('--head <hash>', 'check that the log contains this hash, which you kept elsewhere')
    .option('--from <act>', 'begin with this act, to pass by a gap that you know of', toAct)
    .option('--json', 'print JSON')
    .addHelpText('after', VERIFY_HELP)
    .action((file: string | undefined, options) => verify(file, options))
  audit
    .command('export')
    .description('print every act, oldest first, one JSON object per line')
    .option('--json', 'print JSON; the only format')
    .action(() => printAll({}))
}

const HELP = `
vigil writes answers, prompts, keys (how many), interrupts, loops, settings, sign-ins, sign-outs and
stops to the log before it carries them out. They do not expire. Each act has a SHA-256 hash over
itself and the act before it. An answer includes the tool, its input and the decision.

Examples:
  vigil audit --since 7d
  vigil audit --session payments --json | jq -r .shown
  vigil audit verify
  vigil audit export --json | ssh backup 'cat > audit.jsonl'`

const VERIFY_HELP = `
Compares every hash, the file that the daemon writes the newest hash to (audit-head.json, in the
state folder), and the hashes in vigil.log. So it notices acts that were changed, removed from the
middle or the end, reordered or inserted, and a log that was replaced. It cannot notice if a program
of your own user rewrote the log and both other files. To detect that, keep a hash where such a
program cannot write, and pass it with --head; or keep exports there.

Examples:
  vigil audit verify --json | jq -r .last.hash      the newest hash, to keep elsewhere
  vigil audit verify --head 3b1f…                   check that the log still contains it
  vigil audit verify audit.jsonl                    check an export`

const WORDS_SHOWN = 160

async function list({ json, session: name, since, limit }: Options): Promise<void> {
  const client = await reach()
  const { sessions } = await client.sessions({ all: true })
  const session = name === undefined ? undefined : addressOf(pickSession(sessions, name))
  const newest = since === undefined ? { last: true, limit } : { since }
  const projects = new Map(sessions.map(({ id, project }) => [id, project ?? id]))
  if (json) return printAll({ session, ...newest }, client)
  let lines = 0
  for await (const act of auditOf(client, { session, ...newest })) {
    await print(lineOf(act, projects.get(act.session) ?? act.session))
    lines += 1
  }
  if (lines === 0) await print('nothing has been done through vigil')
}

/** `2026-07-01 12:30:05  #57  payments  answer  denied the plan  (its user, cli)`. */
function lineOf({ id, at, what, who, where, words }: AuditedAct, project: string): string {
  const when = new Date(at).toLocaleString('sv')
  const of = plain(project, 20).padEnd(20)
  const said = `${what.padEnd(9)}  ${plain(words, WORDS_SHOWN)}  (${plain(who, 60)}, ${where})`
  return `${when}  #${String(id).padEnd(5)}  ${of}  ${said}`
}

async function printAll(filter: AuditQuery, client?: Client): Promise<void> {
  for await (const act of auditOf(client ?? (await reach()), filter)) await print(jsonOf(act))
}

/** Every matching act, with one page in memory at a time. */
export async function* auditOf(
  client: Client,
  filter: AuditQuery = {},
): AsyncGenerator<AuditedAct> {
  const limit = filter.limit ?? PAGE
  for (let after = 0; ; ) {
    const { acts } = await client.audit({ ...filter, after, limit })
    yield* acts
    const last = acts.at(-1)
    if (filter.last || !last) return
    after = last.id
  }
}

const PAGE = 1_000

/** Waits for a reader that is slower than the log. */
function print(line: string): Promise<void> {
  return new Promise((resolve) => out.lines([line], resolve))
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

function toTime(value: string): number {
  const [, count, unit = ''] = /^(\d{1,4})([mhd])$/.exec(value) ?? []
  const at = count ? Date.now() - Number(count) * (UNITS[unit] ?? 0) : Date.parse(value)
  if (Number.isFinite(at)) return Math.max(0, Math.floor(at))
  throw new BadInput(`--since ${value}: expected 30m, 12h, 7d or a date as 2026-07-01`)
}

function toAct(value: string): number {
  if (/^\d{1,15}$/.test(value)) return Number(value)
  throw new BadInput(`--from ${value}: expected the number of an act`)
}
