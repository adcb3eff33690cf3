import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMsOf } from './cpu.ts'
import { Home } from './home.ts'
import { packageFolder } from './package.ts'
import { residentMb } from './resident.ts'

const SESSIONS = 1_000
const SECONDS = 20

/** A thousand idle sessions with a living process each: CPU and memory of the daemon, as packed. */
export async function idle() {
  const built = await packageFolder()
  const home = new Home(join(built, 'bin/vigil.js'))
  const client = await home.start()
  const processes: ChildProcess[] = []
  for (let index = 0; index < SESSIONS; index++) {
    const process = spawn('sleep', ['600'], { stdio: 'ignore' })
    processes.push(process)
    const session = { session_id: `idle-${index}`, cwd: `/home/ada/project-${index}` }
    const head = `claudePid=${process.pid}\n`
    home.write({ ...session, hook_event_name: 'SessionStart', source: 'startup' }, head)
    home.write({ ...session, hook_event_name: 'UserPromptSubmit', prompt: 'x' }, head)
    home.write({ ...session, hook_event_name: 'Stop' }, head)
  }
  while (readdirSync(home.folders.spool).length > 0) await sleep(50)
  const { sessions } = await client.sessions()
  await sleep(3_000)
  const before = cpuMsOf(home.pid)
  await sleep(SECONDS * 1000)
  const cpuPercent = (cpuMsOf(home.pid) - before) / (SECONDS * 10)
  const memoryMb = residentMb(home.pid)
  for (const process of processes) process.kill()
  await home.end()
  rmSync(built, { recursive: true, force: true })
  const idling = sessions.filter(({ state }) => state === 'idle').length
  return { sessions: idling, cpuPercent, memoryMb }
}
