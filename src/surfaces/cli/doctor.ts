import type { Command } from 'commander'
import type { CheckFinding, Level } from '../../agents/finding.ts'
import { AGENTS } from '../../agents/index.ts'
import { foldersOf } from '../../home/folders.ts'
import { agentsHere } from './agents-here.ts'
import { checkAgents } from './doctor/agents.ts'
import type { CheckContext } from './doctor/context.ts'
import { checkDaemon } from './doctor/daemon.ts'
import { checkDelivery } from './doctor/delivery.ts'
import { checkNotify } from './doctor/notify.ts'
import { checkPage } from './doctor/page.ts'
import { checkGuarded, checkPolicy } from './doctor/policy.ts'
import { checkPrograms } from './doctor/programs.ts'
import { checkRoundTrip } from './doctor/round-trip.ts'
import { checkNode } from './doctor/runtime.ts'
import { checkScripts } from './doctor/script.ts'
import { checkStore } from './doctor/store.ts'
import { checkTmux } from './doctor/tmux.ts'
import { agentOption } from './option-words.ts'
import { out } from './output.ts'
import type { Paint } from './paint.ts'
import { reach } from './reach.ts'

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check everything that vigil needs, and say how to fix what is wrong')
    .addOption(agentOption(program, 'check only this agent', AGENTS))
    .option('--json', 'print one JSON object: ok, and the findings')
    .addHelpText('after', HELP)
    .action((options: Options) => doctor(options))
}

interface Options {
  readonly agent?: string
  readonly json?: boolean
}

const HELP = `
Checks Node, the installed agents, their settings and vigil's hooks in them, the daemon, its log,
the spool, the programs that vigil runs, tmux, notifications, the administrator's policy and the
page. Runs a hook five times and measures how long its report takes to reach the log. Counts how
many of the events in the transcripts of the last seven days were also reported by hooks.

Examples:
  vigil doctor
  vigil doctor --json | jq -r '.findings[] | select(.level != "ok") | .todo'

Exit code 0: no problem, or warnings only. 1: there is a problem.`

async function doctor({ agent, json }: Options): Promise<void> {
  const context = await contextOf(agent)
  const findings = [
    await checkNode(),
    ...(await checkAgents(context)),
    ...checkScripts(context),
    ...checkDaemon(context),
    ...checkStore(context),
    ...checkPrograms(context),
    ...(await checkTmux(context)),
    ...checkNotify(context),
    checkPolicy(context),
    ...checkGuarded(context),
    ...(await checkPage(context)),
    await orSaid('round trip', () => checkRoundTrip(context)),
    ...(await checkDelivery(context)),
  ]
  const healthy = findings.every(({ level }) => level !== 'problem')
  const paint = out.paint
  if (json) out.json({ ok: healthy, findings })
  else out.lines(findings.flatMap((finding) => rows(finding, paint)))
  process.exitCode = healthy ? 0 : 1
}

async function contextOf(agent: string | undefined): Promise<CheckContext> {
  const { env } = process
  const folders = foldersOf()
  const { daemon, absence } = await reach(folders)
    .then(async (client) => ({
      daemon: { client, health: await client.health() },
      absence: undefined,
    }))
    .catch((error: Error) => ({ daemon: undefined, absence: error.message }))
  const known = agentsHere({ env, folders, health: daemon?.health, only: agent })
  const agents = known.filter(({ isFound }) => isFound || agent !== undefined)
  return { folders, env, daemon, absence, agents }
}

/** A check that throws becomes a finding, and the other checks continue. */
async function orSaid(about: string, check: () => Promise<CheckFinding>): Promise<CheckFinding> {
  try {
    return await check()
  } catch (error) {
    const what = `this check failed: ${(error as Error).message}`
    return { about, level: 'problem', what, todo: 'run `vigil stop`, then `vigil doctor` again' }
  }
}

const GLYPHS: Readonly<Record<Level, string>> = { ok: '✓', warning: '!', problem: '✗' }
const COLOURS = { ok: 'green', warning: 'yellow', problem: 'red' } as const
const ABOUT_COLUMNS = 11

function rows({ about, level, what, todo, notes = [] }: CheckFinding, paint: Paint): string[] {
  const head = `${paint(COLOURS[level], GLYPHS[level])} ${about.padEnd(ABOUT_COLUMNS)}${what}`
  const below = [...notes, ...(todo === undefined ? [] : [`→ ${todo}`])]
  return [head, ...below.map((line) => paint('dim', `  ${' '.repeat(ABOUT_COLUMNS)}${line}`))]
}
