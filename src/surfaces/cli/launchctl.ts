import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import {
  isLaunchAgentCurrent,
  LAUNCH_LABEL,
  launchAgentPath,
  removeLaunchAgent,
  writeLaunchAgent,
} from '../../install/launchd.ts'
import type { ServiceOptions } from '../../install/service.ts'
import { pathTo } from '../../platform/programs.ts'
import { BadInput } from './bad-input.ts'

const ANSWER_MAX_MS = 30_000

type Options = Omit<ServiceOptions, 'port'>

/** The error message of launchctl; undefined on success. */
export type Launchctl = (args: readonly string[]) => Promise<string | undefined>

/** SPEC I22. Writes the launch agent and makes launchd start it in place of an earlier one. */
export async function installLaunchAgent(options: Options, ask: Launchctl = launchctl) {
  writeLaunchAgent(options)
  await ask(['bootout', `${domain()}/${LAUNCH_LABEL}`])
  const args = ['bootstrap', domain(), launchAgentPath(options.env)]
  const against = await ask(args)
  if (against !== undefined) throw new BadInput(`launchctl ${args.join(' ')}: ${against}`, 1)
}

export async function uninstallLaunchAgent(env: Options['env'], ask: Launchctl = launchctl) {
  await ask(['bootout', `${domain()}/${LAUNCH_LABEL}`])
  removeLaunchAgent(env)
}

export async function launchAgentState(options: Options, ask: Launchctl = launchctl) {
  const file = launchAgentPath(options.env)
  if (!existsSync(file)) return { installed: false }
  const isLoaded = (await ask(['print', `${domain()}/${LAUNCH_LABEL}`])) === undefined
  const service = isLoaded ? 'active' : 'inactive'
  return { installed: true, current: isLaunchAgentCurrent(options), folder: file, service }
}

function domain(): string {
  return `gui/${process.getuid?.()}`
}

function launchctl(args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(pathTo('launchctl'), args, { timeout: ANSWER_MAX_MS }, (error, _, stderr) =>
      resolve(error ? stderr.trim() || error.message : undefined),
    )
  })
}
