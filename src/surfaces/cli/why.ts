import type { Command } from 'commander'
import { detachedLine } from '../../core/words.ts'
import { addressOf } from '../../protocol/address.ts'
import type { Explanation, Session } from '../../protocol/session.ts'
import { changesShown } from '../../view/changes.ts'
import { isStale, UNREACHABLE } from '../../view/freshness.ts'
import { timeOfDay } from '../../view/loop.ts'
import { ageOf, heardWords, plain } from '../../view/session.ts'
import { longToolOf, lookOf, shapeOf } from '../../view/shape.ts'
import { asked, BadInput } from './bad-input.ts'
import { SESSION_IS } from './option-words.ts'
import { out } from './output.ts'
import type { Paint } from './paint.ts'
import { pickSession } from './pick.ts'
import { reach } from './reach.ts'

interface Options {
  readonly json?: boolean
}

export function addWhy(program: Command): void {
  program
    .command('why')
    .description(
      'show a session’s state, the rule and reports that decided it, and what would change it',
    )
    .argument('<session>', SESSION_IS)
    .option('--json', 'print it as one JSON object')
    .addHelpText('after', HELP)
    .action((name: string, options: Options) => why(name, options))
}

const HELP = `
Examples:
  vigil why payments
  vigil why 3f2a --json | jq .grounds

If the state is wrong, report it with the file of: vigil export SESSION > wrong.jsonl`

async function why(name: string, { json }: Options): Promise<void> {
  const client = await reach()
  const { sessions, now } = await client.sessions({ all: true })
  const session = pickSession(sessions, name)
  const explanation = isStale(session)
    ? asLastHeard(session)
    : await asked(client.explain(addressOf(session)))
  if (!explanation) throw new BadInput(`${name}: the daemon has just removed this session`)
  if (json) out.json(explanation)
  else out.lines(explained(explanation, now, out.paint))
}

/** SPEC FL83. Its machine has the grounds, and is not there to be asked. */
function asLastHeard(session: Session): Explanation {
  return { session, grounds: [], wouldChange: [], nextLook: null, heard: {}, history: [] }
}

const COLUMNS = 96

export function explained(explanation: Explanation, now: number, paint: Paint): string[] {
  const { session, grounds, wouldChange, nextLook, heard, history } = explanation
  const { glyph, word, colour, name, loop, machine, age } = shapeOf(session, now, timeOfDay)
  const state = paint(colour, `${glyph} ${word}`)
  const ago = (at: number) => `${ageOf(now - at)} ago`
  const isLost = session.stale !== null
  const lasts = isLost ? `for ${age} when last heard` : `since ${ago(session.since)}`
  const place = [plain(session.id, 60), machine ?? [], plain(session.cwd ?? '', 80)].flat()
  const long = longToolOf(session, now)
  return [
    `${paint('bold', plain(name, 40))}  ${state}  ${lasts}`,
    paint('dim', place.join('  ')),
    ...loopLines(loop, session.loop?.hold ?? null),
    '',
    `rule ${session.rule}: ${plain(session.reason, COLUMNS)}`,
    ...[heardLine(session, now), long, detachedLine(session)].filter((line) => line !== null),
    ...section(
      'Decided by',
      grounds.map(({ source, saw, at }) => `${source} reported ${plain(saw, 70)}, ${ago(at)}`),
    ),
    ...section('What would change it', [
      ...wouldChange,
      ...(nextLook === null ? [] : [`the passing of time, ${inTime(nextLook - now)}`]),
    ]),
    ...section(
      'Last reports',
      Object.entries(heard)
        .sort(([, a], [, b]) => b - a)
        .map(([source, at]) => `${source.padEnd(10)} ${ago(at)}`),
    ),
    ...section(
      'Last changes',
      changesShown(history).map(({ t, verdict }) => {
        const look = lookOf(verdict)
        const words = `${look.glyph} ${look.word}`.padEnd(26)
        return `${ago(t).padStart(10)}  ${paint(look.colour, words)} ${verdict.rule}`
      }),
    ),
  ]
}

function heardLine(session: Session, now: number): string | null {
  const heard = heardWords(session, now)
  return heard === null ? null : `${UNREACHABLE}, ${heard}: its state may have changed`
}

/** What keeps the session going, and why the loop is on hold. */
function loopLines(loop: string | null, hold: string | null): string[] {
  if (loop === null) return []
  return [hold === null ? loop : `${loop} (${plain(hold, 80)})`]
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)]
}

function inTime(ms: number): string {
  return ms < 1000 ? 'in a moment' : `in ${ageOf(ms)}`
}
