import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { UNNAMED_AGENT } from '../../src/agents/index.ts'
import { writeHook } from '../../src/install/scripts.ts'
import { DaemonHome, turn } from '../support/daemon.ts'
import { A_LOOP } from '../support/loops.ts'

const vigil = fileURLToPath(new URL('../../bin/vigil.js', import.meta.url))
const SESSIONS = Array.from({ length: 20 }, (_, index) => `s${index}`)

let home: DaemonHome

beforeEach(() => {
  home = new DaemonHome()
})
afterEach(() => home.end())

/** The real hook of a Stop, as a client runs it: its exit code. */
function stopHook(hook: string, session: string): Promise<number | null> {
  const child = spawn('/bin/sh', [hook, 'answer'], {
    env: { ...home.env, CLAUDE_CODE_SESSION_ID: session },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const payload = { session_id: session, cwd: '/p', hook_event_name: 'Stop' }
  child.stdin.end(`${JSON.stringify({ ...payload, last_assistant_message: 'Not yet.' })}\n`)
  return ended
}

it('[LP88] twenty Stops at once are all answered, however long their hooks take', async () => {
  await home.start()
  const hook = writeHook(home.folders, UNNAMED_AGENT, { node: process.execPath, vigil })
  for (const session of SESSIONS) {
    home.write({ ...turn(session, `${session}-begun`), session_id: session })
    await home.taken()
    await home.client.startLoop({ ...A_LOOP, session })
  }
  const codes = await Promise.all(SESSIONS.map((session) => stopHook(hook, session)))
  expect(codes).toEqual(SESSIONS.map(() => 2))
  const { loops } = await home.client.loops({ all: false })
  expect(loops.map(({ iteration }) => iteration)).toEqual(SESSIONS.map(() => 1))
})
