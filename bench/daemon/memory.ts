import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Home } from './home.ts'
import { packageFolder } from './package.ts'
import { residentMb } from './resident.ts'

const SESSIONS = 10
const TURNS = 20

/** Ten idle sessions that have worked, with the packaged daemon. */
export async function memory() {
  const built = await packageFolder()
  const home = new Home(join(built, 'bin/vigil.js'))
  const idle = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' })
  const processes: ChildProcess[] = [idle]
  try {
    await home.start()
    for (let index = 0; index < SESSIONS; index++) processes.push(atWork(home, index))
    while (readdirSync(home.folders.spool).length > 0) await sleep(50)
    await sleep(5_000)
    const [memoryMb, idleNodeMb] = [residentMb(home.pid), residentMb(idle.pid ?? 0)]
    return { memoryMb, idleNodeMb, ratio: memoryMb / idleNodeMb }
  } finally {
    for (const process of processes) process.kill()
    await home.end()
    rmSync(built, { recursive: true, force: true })
  }
}

function atWork(home: Home, index: number): ChildProcess {
  const process = spawn('sleep', ['600'], { stdio: 'ignore' })
  const session = { session_id: `works-${index}`, cwd: `/home/ada/project-${index}` }
  const tell = (hook_event_name: string, more = {}) =>
    home.write({ ...session, hook_event_name, ...more }, `claudePid=${process.pid}\n`)
  tell('SessionStart', { source: 'startup' })
  for (let turn = 0; turn < TURNS; turn++) {
    const call = { tool_name: 'Bash', tool_use_id: `${turn}`, tool_input: { command: 'make' } }
    tell('UserPromptSubmit', { prompt: `turn ${turn}` })
    tell('PreToolUse', call)
    tell('PostToolUse', { ...call, tool_response: {} })
    tell('Stop')
  }
  return process
}
