import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import type { Command } from 'commander'
import { configFolderOf } from '../../agents/claude/files.ts'
import { foldersOf } from '../../home/folders.ts'
import { findClient, type InstalledClient } from '../../install/client.ts'
import { checkDaemon } from './doctor/daemon.ts'
import { checkDelivery } from './doctor/delivery.ts'
import type { Finding, Level, Patient } from './doctor/finding.ts'
import { checkManaged, managedFolders } from './doctor/managed.ts'
import { checkNotify } from './doctor/notify.ts'
import { checkPage } from './doctor/page.ts'
import { checkGuarded, checkPolicy } from './doctor/policy.ts'
import { checkPrograms } from './doctor/programs.ts'
import { checkRoundTrip } from './doctor/round-trip.ts'
import { checkAgent, checkNode } from './doctor/runtime.ts'
import { checkScript } from './doctor/script.ts'
import { checkSettings } from './doctor/settings.ts'
import { checkStore } from './doctor/store.ts'
import { checkTmux } from './doctor/tmux.ts'
import { out } from './output.ts'
import type { Paint } from './paint.ts'
import { reach } from './reach.ts'

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('check everything vigil rests on, and say what to do where something is wrong')
    .option('--json', 'one JSON object: ok, and what was found')
    .addHelpText('after', HELP)
    .action(({ json }: { readonly json?: boolean }) => doctor(json === true))
}

const HELP = `
Looks at Node, claude, its settings and vigil's hooks in them, the daemon, its log, the spool, the
programs that vigil runs and where they are, tmux, notifications, the administrator's policy and
the page; runs a hook five times and measures until its report is in the log; and counts, over the
last seven days, how much of what transcripts show was told by a hook.

Examples:
  vigil doctor
  vigil doctor --json | jq -r '.findings[] | select(.level != "ok") | .todo'

Exit code 0: all is well, or there are warnings only. 1: there is a problem.`

async function doctor(json: boolean): Promise<void> {
  const agent = findClient(undefined, process.env)
  const patient = await patientOf(agent)
  const findings = [
    await checkNode(),
    checkAgent(agent),
    ...checkManaged(patient),
    ...checkSettings(patient),
    checkScript(patient),
    ...checkDaemon(patient),
    ...checkStore(patient),
    ...checkPrograms(patient),
    ...(await checkTmux(patient)),
    ...checkNotify(patient),
    checkPolicy(patient),
    ...checkGuarded(patient),
    ...(await checkPage(patient)),
    await orSaid('round trip', () => checkRoundTrip(patient)),
    await orSaid('delivery', () => checkDelivery(patient)),
  ]
  const healthy = findings.every(({ level }) => level !== 'problem')
  const paint = out.paint
  if (json) out.json({ ok: healthy, findings })
  else out.lines(findings.flatMap((finding) => rows(finding, paint)))
  process.exitCode = healthy ? 0 : 1
}

async function patientOf(agent: InstalledClient | undefined): Promise<Patient> {
  const { env } = process
  const [folders, home] = [foldersOf(), env.HOME || homedir()]
  const { daemon, absence } = await reach(folders)
    .then(async (client) => ({
      daemon: { client, health: await client.health() },
      absence: undefined,
    }))
    .catch((error: Error) => ({ daemon: undefined, absence: error.message }))
  const own = configFolderOf(env, home)
  // The daemon remembers folders that are long gone.
  const others = daemon?.health.configFolders.filter((folder) => existsSync(folder)) ?? []
  const configFolders = [...new Set([own, ...others])]
  const managed = managedFolders(process.platform)
  const version = agent?.version
  return { folders, env, home, daemon, absence, version, configFolders, managed }
}

/** A check that fails is a finding, and the others go on. */
async function orSaid(about: string, check: () => Promise<Finding>): Promise<Finding> {
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

function rows({ about, level, what, todo, notes = [] }: Finding, paint: Paint): string[] {
  const head = `${paint(COLOURS[level], GLYPHS[level])} ${about.padEnd(ABOUT_COLUMNS)}${what}`
  const below = [...notes, ...(todo === undefined ? [] : [`→ ${todo}`])]
  return [head, ...below.map((line) => paint('dim', `  ${' '.repeat(ABOUT_COLUMNS)}${line}`))]
}
