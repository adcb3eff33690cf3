import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { foldersOf } from '../home/folders.ts'
import { SERVICE, servicePort } from '../install/service.ts'
import { findProgram } from '../platform/programs.ts'

const ANSWER_MAX_MS = 10_000

type Env = Readonly<Record<string, string | undefined>>

/**
 * SPEC PF10. If the daemon is a service, the user manager starts it. Started otherwise it would run
 * without its restrictions and without the port that the manager holds.
 */
export function startService(env: Env): Promise<boolean> {
  const folders = foldersOf(env)
  const systemctl = servicePort(folders) === undefined ? undefined : findProgram('systemctl', env)
  if (systemctl === undefined) return Promise.resolve(false)
  // A running daemon must make room for the installed version.
  const what = existsSync(folders.daemonFile) ? 'restart' : 'start'
  return new Promise((resolve) => {
    const options = { timeout: ANSWER_MAX_MS, env: { ...env } }
    execFile(systemctl, ['--user', what, SERVICE], options, (error) => resolve(error === null))
  })
}
