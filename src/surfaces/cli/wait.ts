import type { Command } from 'commander'
import { STATES, type State } from '../../core/verdict.ts'
import type { Session } from '../../protocol/session.ts'
import { wordsOf } from '../../view/session.ts'
import { BadInput } from './bad-input.ts'
import { err, out } from './output.ts'
import { pickSession } from './pick.ts'
import { reach } from './reach.ts'

interface Options {
  readonly until: ReadonlySet<State>
  readonly timeout?: number
  readonly json?: boolean
}

/** As `timeout` of coreutils has it. */
const EXIT_TIMEOUT = 124
/** It ended before it came to what was waited for. */
const EXIT_NEVER = 1

export function addWait(program: Command): void {
  program
    .command('wait')
    .description('wait until a session is in one of these states')
    .argument('<session>', 'the beginning of an id, a title or a folder')
    .requiredOption('--until <state,…>', `any of ${STATES.join(', ')}`, parseUntil)
    .option('--timeout <seconds>', 'give up after this long', parseTimeout)
    .option('--json', 'print the session as it then is')
    .addHelpText('after', HELP)
    .action((name: string, options: Options) => wait(name, options))
}

const HELP = `
Examples:
  vigil wait payments --until idle && make deploy
  vigil wait 3f2a --until waiting,error,closed --timeout 600

Exit code 0: it is. 1: it was closed first. 124: the time was up. 2: no such session or state.`

async function wait(name: string, { until, timeout, json }: Options): Promise<void> {
  const client = await reach()
  const { seq, sessions } = await client.sessions({ all: true })
  let { id } = pickSession(sessions, name)
  const ended = timeout === undefined ? new AbortController().signal : AbortSignal.timeout(timeout)
  const look = async () => {
    const session = await client.session(id)
    return session && decided(session, until) ? session : undefined
  }
  let found = await look()
  if (!found)
    for await (const change of client.events({ after: seq, signal: ended })) {
      const concerns = change.kind === 'reset' || change.session === id
      // It was waited for before its own name was known.
      if (change.kind === 'gone' && concerns) id = change.became ?? id
      found = concerns ? await look() : undefined
      if (found) break
    }
  process.exitCode = found ? report(found, until, json === true) : EXIT_TIMEOUT
  if (!found) err.line(`vigil: ${name}: not reached within the time`)
}

function decided({ state }: Session, until: ReadonlySet<State>): boolean {
  return until.has(state) || state === 'closed'
}

function report(session: Session, until: ReadonlySet<State>, json: boolean): number {
  if (json) out.jsonLine(session)
  else out.line(wordsOf(session))
  return until.has(session.state) ? 0 : EXIT_NEVER
}

function parseUntil(value: string): ReadonlySet<State> {
  const states = value.split(',').map((state) => state.trim())
  const unknown = states.find((state) => !(STATES as readonly string[]).includes(state))
  if (unknown !== undefined)
    throw new BadInput(`--until ${unknown}: no such state; there are ${STATES.join(', ')}`)
  return new Set(states as State[])
}

function parseTimeout(value: string): number {
  const seconds = Number(value)
  if (value.trim() === '' || !Number.isFinite(seconds) || seconds < 0 || seconds > 2_000_000)
    throw new BadInput(`--timeout ${value}: expected a number of seconds, 0 or more`)
  return seconds * 1000
}
