import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { foldersOf } from '../home/folders.ts'
import { SERVICE, servicePort } from '../install/service.ts'
import { findProgram } from '../platform/programs.ts'

const ANSWER_MAX_MS = 10_000

type Env = Readonly<Record<string, string | undefined>>

/**
 * SPEC PF10. Where the daemon is a service the user manager starts it: one that anything else
 * started would run without its restrictions, and without the port that the manager holds.
 */
export function startService(env: Env): Promise<boolean> {
  const folders = foldersOf(env)
  const systemctl = servicePort(folders) === undefined ? undefined : findProgram('systemctl', env)
  if (systemctl === undefined) return Promise.resolve(false)
  // One that runs is to make room for what is installed.
  const what = existsSync(folders.daemonFile) ? 'restart' : 'start'
  return new Promise((resolve) => {
    const options = { timeout: ANSWER_MAX_MS, env: { ...env } }
    execFile(systemctl, ['--user', what, SERVICE], options, (error) => resolve(error === null))
  })
}
