import type { Command } from 'commander'
import type { Client } from '../../client/client.ts'
import type { Verdict } from '../../core/verdict.ts'
import { keyOf } from '../../protocol/address.ts'
import type { Session } from '../../protocol/session.ts'
import { timeOfDay } from '../../view/loop.ts'
import { type Describable, detailOf, heardWords, plain, wordsOf } from '../../view/session.ts'
import { lookOf, prefixOf } from '../../view/shape.ts'
import { lineOf } from './change-line.ts'
import { LOCAL_OPTION } from './listed.ts'
import { out } from './output.ts'
import type { Paint } from './paint.ts'
import { reach } from './reach.ts'
import { isInFleet, remoteRows } from './remote-rows.ts'

interface Options {
  readonly json?: boolean
  readonly local?: boolean
}

export function addWatch(program: Command): void {
  program
    .command('watch')
    .description('print every session, then one line for each change, until Ctrl-C')
    .option('--json', 'print one JSON object per line, with the session’s name, cwd and request')
    .option(...LOCAL_OPTION)
    .addHelpText('after', HELP)
    .action((options: Options) => watch(options))
}

const HELP = `
Examples:
  vigil watch
  vigil watch --json | jq -r 'select(.state == "waiting") | "\\(.name): \\(.request.text)"'

If the daemon restarts, vigil waits for it; no change is lost or printed twice.`

async function watch({ json, local }: Options): Promise<void> {
  const client = await reach()
  const print = (t: number, row: WatchedRow) =>
    json ? out.jsonLine(jsonLine(t, row)) : out.line(watchLine(t, row, out.paint))
  const known = new Map<string, Session>()
  const present = async () => {
    const { seq, now, sessions } = await client.sessions({ all: false })
    for (const session of sessions.filter(({ own }) => own)) {
      known.set(session.id, session)
      print(now, session)
    }
    return seq
  }
  const seq = await present()
  if (!local && (await isInFleet(client))) void watchOthers(client, print)
  for await (const change of client.events({ after: seq })) {
    if (change.kind === 'reset') await present()
    if (change.kind !== 'verdict') continue
    const { t, session: id, verdict } = change
    // A verdict contains neither the session's name nor its messages.
    const session = (await client.session(id).catch(() => undefined)) ?? known.get(id)
    if (session) known.set(id, session)
    const { name = id.slice(0, 8), cwd = null, prompt = null, reply = null } = session ?? {}
    print(t, { ...verdict, id, name, cwd, prompt, reply })
  }
}

/** SPEC FL88. One line for each change of a session on another machine that a person would see. */
async function watchOthers(
  client: Client,
  print: (t: number, row: WatchedRow) => void,
): Promise<void> {
  const printed = new Map<string, string>()
  for await (const row of remoteRows(client, new AbortController().signal)) {
    const [key, said] = [keyOf(row), saidOf(row)]
    if (printed.get(key) === said) continue
    printed.set(key, said)
    print(Date.now(), row)
  }
}

function saidOf(row: Session): string {
  const { state, unread, stale, since, loop } = row
  return JSON.stringify([wordsOf(row), state, unread, since, stale, loop])
}

/** SPEC CM18. A session or a verdict, with the session's name. */
export type WatchedRow = Describable &
  Pick<Verdict, 'unread' | 'rule' | 'reason' | 'since'> &
  Pick<Session, 'id' | 'name' | 'cwd'> & { readonly request?: Session['request'] }

/** What `vigil replay --json` prints, plus the fields that identify the session. */
export function jsonLine(t: number, row: WatchedRow) {
  const { name, cwd, request } = row
  return { ...lineOf(t, row.id, row), name, cwd, request: request ?? null }
}

export function watchLine(t: number, row: WatchedRow, paint: Paint): string {
  const { glyph, word, colour } = lookOf(row)
  const time = new Date(t).toTimeString().slice(0, 8)
  const who = paint('dim', plain(row.name, NAME_COLUMNS).padEnd(NAME_COLUMNS))
  const words = paint(colour, `${glyph} ${word}`.padEnd(26))
  const heard = heardWords(row, t)
  const said = detailOf(row) || row.reason
  const what = `${prefixOf(row, timeOfDay)}${heard === null ? '' : `${heard} · `}${said}`
  const why = paint('dim', plain(what, WHAT_COLUMNS))
  return `${time}  ${who} ${row.unread ? '*' : ' '} ${words} ${why}`
}

const NAME_COLUMNS = 16
const WHAT_COLUMNS = 90
