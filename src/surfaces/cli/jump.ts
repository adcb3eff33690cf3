import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type Folders, foldersOf } from '../../home/folders.ts'
import { fileText } from '../../home/plain-file.ts'
import { pathTo } from '../../platform/programs.ts'
import { keyedRow, keyOf } from '../../protocol/address.ts'
import type { Session } from '../../protocol/session.ts'
import { jumpTo } from '../../tmux/jump.ts'
import { abilitiesOf } from '../../view/board/abilities.ts'
import { nextNeedy } from '../../view/order.ts'
import { needsUser, plain, wordsOf } from '../../view/session.ts'
import { BadInput } from './bad-input.ts'
import { jumpFar } from './jump-far.ts'
import { LOCAL_OPTION, listedOf } from './listed.ts'
import { SESSION_IS } from './option-words.ts'
import { out } from './output.ts'
import { pickSession } from './pick.ts'
import { reach } from './reach.ts'
import { inOurPlace, takeUp } from './take-up.ts'

interface Options {
  readonly client?: string
  readonly json?: boolean
  readonly local?: boolean
}

export function addNext(program: Command): void {
  program
    .command('next')
    .description('go to the session that has waited for you longest; run it again for the next one')
    .option('--client <name>', 'the terminal to switch, by tmux’s name for it')
    .option('--json', 'print that session or null as JSON, and do not go to it')
    .option(...LOCAL_OPTION)
    .addHelpText('after', HELP)
    .action((options: Options) => next(options))
}

const HELP = `
Switches tmux to the session's window, also in another tmux session or server. As a key:
  bind-key a run-shell -b "vigil next --client '#{client_name}'"`

export function addJump(program: Command): void {
  program
    .command('jump')
    .description('go to a session’s window in tmux')
    .argument('<session>', SESSION_IS)
    .option('--client <name>', 'the terminal to switch, by tmux’s name for it')
    .addHelpText('after', FAR_HELP)
    .action((name: string, options: Options) => jump(name, options))
}

const FAR_HELP = `
A session of another machine of the fleet is shown here by ssh. The command is the setting
fleet.ssh, by default:
  ssh -t {host} vigil jump {session}`

const NAME_MAX_COLUMNS = 60

async function next(options: Options): Promise<void> {
  const folders = foldersOf()
  const { sessions } = await (await reach(folders)).sessions()
  const listed = listedOf(sessions, options.local === true)
  // SPEC FL80. Two machines may have sessions of one id.
  const needy = listed.filter(needsUser).map(keyedRow)
  // For programs: prints the session whether or not tmux could show it, and does not advance.
  if (options.json) {
    const first = nextNeedy(needy, lastIn(folders))
    return out.jsonLine(listed.find((one) => first && keyOf(one) === first.id) ?? null)
  }
  const session = nextNeedy(
    needy.filter((session) => abilitiesOf(session, null).jump === null),
    lastIn(folders),
  )
  if (session) {
    remember(folders, session.id)
    return go(session, options)
  }
  if (needy.length === 0) out.line('no session needs you')
  else throw new BadInput('none of the sessions that need you runs in tmux:', 1, needy.map(lineOf))
}

async function jump(name: string, options: Options): Promise<void> {
  const { sessions } = await (await reach()).sessions({ all: true })
  await go(pickSession(sessions, name), options)
}

async function go(session: Session, { client }: Options): Promise<void> {
  const isTerminal = process.stdin.isTTY === true && out.isTerminal
  if (!session.own) return goFar(session, isTerminal)
  const why = await jumpTo(session, process.env, {
    ...(client && { client }),
    ...(isTerminal && { attachHere, resumeHere: () => takeUp(session) }),
  })
  if (why !== undefined) throw new BadInput(`${lineOf(session).trim()}: ${why}`, 1)
}

async function goFar(session: Session, isTerminal: boolean): Promise<void> {
  const why = await jumpFar(session, { run: isTerminal ? inOurPlace : undefined })
  if (why !== undefined) throw new BadInput(`${lineOf(session).trim()}: ${why}`, 1)
}

function attachHere(args: readonly string[]): Promise<number> {
  const child = spawn(pathTo('tmux'), args, { stdio: 'inherit' })
  return new Promise((resolve, reject) => {
    child.on('exit', (code) => resolve(code ?? 1))
    child.on('error', reject)
  })
}

function lineOf(session: Session): string {
  return `  ${plain(session.name, NAME_MAX_COLUMNS)}, ${wordsOf(session)}`
}

/** The session that was shown last; the next call continues after it. */
function lastIn(folders: Folders): string | undefined {
  return fileText(fileIn(folders))?.trim()
}

function remember(folders: Folders, id: string): void {
  try {
    writeFileSync(fileIn(folders), `${id}\n`, { mode: 0o600 })
  } catch {
    // Then the next call begins with the first again.
  }
}

function fileIn({ run }: Folders): string {
  return join(run, 'next')
}
