import type { Command } from 'commander'
import type { CheckFinding, Level } from '../../agents/finding.ts'
import { AGENTS } from '../../agents/index.ts'
import { foldersOf } from '../../home/folders.ts'
import { agentOption } from './agent-option.ts'
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
import { out } from './output.ts'
import type { Paint } from './paint.ts'
import { reach } from './reach.ts'

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check everything vigil rests on, and say what to do where something is wrong')
    .addOption(agentOption(program, 'of the agents, only this one', AGENTS))
    .option('--json', 'one JSON object: ok, and what was found')
    .addHelpText('after', HELP)
    .action((options: Options) => doctor(options))
}

interface Options {
  readonly agent?: string
  readonly json?: boolean
}

const HELP = `
Looks at Node, the agents that are here, their settings and vigil's hooks in them, the daemon, its
log, the spool, the programs that vigil runs and where they are, tmux, notifications, the
administrator's policy and the page; runs a hook five times and measures until its report is in the
log; and counts, over the last seven days, how much of what transcripts show a hook reported.

Examples:
  vigil doctor
  vigil doctor --json | jq -r '.findings[] | select(.level != "ok") | .todo'

Exit code 0: all is well, or there are warnings only. 1: there is a problem.`

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
    const what = `could not be checked: ${(error as Error).message}`
    return { about, level: 'problem', what, todo: 'vigil stop, then vigil doctor again' }
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
