import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findProgram, pathTo } from '../../platform/programs.ts'
import { IS_LINUX } from '../../platform/system.ts'
import { BadInput } from './bad-input.ts'

const ANSWER_MAX_MS = 30_000

/** Why there is no user manager; undefined if there is one. */
export function whyNoSystemd(): string | undefined {
  if (!IS_LINUX) return 'systemd exists on Linux only; --print shows the units'
  if (findProgram('systemctl') === undefined)
    return 'no systemctl was found in a trusted folder of PATH; --print shows the units'
  if (!existsSync('/run/systemd/system'))
    return 'this machine does not run systemd; --print shows the units'
  return undefined
}

/** Runs one command of the user manager; throws its error message. */
export async function systemctl(...args: readonly string[]): Promise<void> {
  const { failed, stderr } = await run(args)
  if (failed)
    throw new BadInput(`systemctl --user ${args.join(' ')}: ${stderr.trim() || 'failed'}`, 1)
}

/** `active`, `inactive`, `failed`; `unknown` if there is no manager. */
export async function unitState(unit: string): Promise<string> {
  return (await run(['is-active', unit])).stdout.trim() || 'unknown'
}

function run(args: readonly string[]) {
  type Ran = { readonly failed: boolean; readonly stdout: string; readonly stderr: string }
  const options = { timeout: ANSWER_MAX_MS }
  return new Promise<Ran>((resolve) => {
    execFile(pathTo('systemctl'), ['--user', ...args], options, (error, stdout, stderr) =>
      resolve({ failed: error !== null, stdout, stderr: stderr || (error?.message ?? '') }),
    )
  })
}
