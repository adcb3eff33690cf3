import type { Command } from 'commander'
import type { Verdict } from '../../core/verdict.ts'
import { loopWordsOf, timeOfDay } from '../../view/loop.ts'
import { type Describable, plain } from '../../view/session.ts'
import { lookOf } from '../../view/shape.ts'
import { changeLine, presentLine } from './change-line.ts'
import { out } from './output.ts'
import type { Paint } from './paint.ts'
import { reach } from './reach.ts'

interface Options {
  readonly json?: boolean
}

export function addWatch(program: Command): void {
  program
    .command('watch')
    .description('one line for each change of any session, beginning with what is; until Ctrl-C')
    .option('--json', 'one JSON object a line, as vigil replay --json gives')
    .addHelpText('after', HELP)
    .action((options: Options) => watch(options))
}

const HELP = `
Examples:
  vigil watch
  vigil watch --json | jq -r 'select(.state == "waiting") | .session'

A daemon that ends or is replaced is waited for; no change is lost or told twice.`

async function watch({ json }: Options): Promise<void> {
  const client = await reach()
  const print = json ? printJson : printRow
  const present = async () => {
    const { seq, now, sessions } = await client.sessions({ all: false })
    for (const session of sessions) print(now, session.id, session, presentLine(now, session))
    return seq
  }
  const seq = await present()
  for await (const change of client.events({ after: seq })) {
    if (change.kind === 'reset') await present()
    if (change.kind !== 'verdict') continue
    const { t, session, verdict } = change
    print(t, session, verdict, changeLine(t, verdict))
  }
}

type Row = Describable & Pick<Verdict, 'unread' | 'rule' | 'reason'>

function printJson(_t: number, _session: string, _row: Row, line: object): void {
  out.jsonLine(line)
}

function printRow(t: number, session: string, row: Row): void {
  out.line(watchLine(t, session, row, out.paint))
}

export function watchLine(t: number, session: string, row: Row, paint: Paint): string {
  const { glyph, word, colour } = lookOf(row)
  const time = new Date(t).toTimeString().slice(0, 8)
  const who = paint('dim', plain(session, 8).padEnd(8))
  const words = paint(colour, `${glyph} ${word}`.padEnd(26))
  const loop = loopWordsOf(row, timeOfDay)
  const reason = `${loop === '' ? '' : `${loop} · `}${row.reason}`
  const why = paint('dim', `${row.rule.padEnd(3)} ${plain(reason, 90)}`)
  return `${time}  ${who} ${row.unread ? '*' : ' '} ${words} ${why}`
}
