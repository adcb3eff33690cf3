import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { UNNAMED_AGENT } from '../../src/agents/index.ts'
import { ask } from '../../src/client/ask.ts'
import { writeHook } from '../../src/install/scripts.ts'
import { DaemonHome, type Running, until } from '../support/daemon.ts'
import { A_LOOP } from '../support/loops.ts'
import { digestOf } from '../support/spooled.ts'
import { waitingHook } from '../support/waiting-hook.ts'

const vigil = fileURLToPath(new URL('../../bin/vigil.js', import.meta.url))

let home: DaemonHome
let daemon: Running
let hooks: ChildProcess[]

beforeEach(async () => {
  hooks = []
  home = new DaemonHome()
  daemon = await home.start()
  await until('hooks wait', () => home.hooksWait())
})

afterEach(async () => {
  for (const hook of hooks) hook.kill('SIGKILL')
  await home.end()
})

function asking(session: string, command: string) {
  const call = { tool_name: 'Bash', tool_input: { command } }
  return { session_id: session, cwd: '/p', hook_event_name: 'PermissionRequest', ...call }
}

/** The installed hook, held before it begins: its process tells the name of its report. */
async function heldHook(command: string) {
  const hook = writeHook(home.folders, UNNAMED_AGENT, { node: process.execPath, vigil })
  const client = spawn('sleep', ['600'], { stdio: 'ignore' })
  const held = 'echo $$; IFS= read -r go; exec /bin/sh "$0" answer request'
  const child = spawn('/bin/sh', ['-c', held, hook], {
    env: { ...home.env, CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_PID: String(client.pid) },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  hooks.push(child, client)
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    printed += chunk
  })
  const said = new Promise<string>((resolve) => {
    child.once('close', () => resolve(printed.slice(printed.indexOf('\n') + 1)))
  })
  await until('its process is there', () => printed.includes('\n'))
  const begin = async () => {
    child.stdin.end(`go\n${JSON.stringify(asking('real', command))}\n`)
    await until('its hook waits', () => answerable(command))
  }
  return { name: `hook.${printed.trim()}`, said, begin }
}

async function answerable(command: string) {
  const { requests } = await home.client.requests()
  return requests.find(
    ({ input, answerable: can }) => can && (input as { command: string }).command === command,
  )
}

/** A report that a program with the token posts under a name that it chose. */
async function forge(key: string, command: string): Promise<void> {
  const report = { source: 'hook' as const, payload: asking('forged', command), env: { asks: 1 } }
  await home.client.post({ key, report: { ...report, t: Date.now() } })
}

/** Allows whatever says `ls`, as a person would, and denies the rest; gives what was listed. */
async function lsAllowedTheRestDenied(): Promise<readonly string[]> {
  const { requests } = await home.client.requests()
  for (const { id, input } of requests) {
    const choice = (input as { command: string }).command === 'ls' ? 'allow' : 'deny'
    await home.client.answer(id, { choice, where: 'cli' }).catch(() => {})
  }
  return requests.map(({ input }) => (input as { command: string }).command)
}

const DENIED = /"behavior":"deny"/

describe('a posted report with the name of a hook’s own', () => {
  it('[BR1] posted before it, takes no answer to that hook', async () => {
    const { name, said, begin } = await heldHook('rm -rf ~')
    await forge(`${name}@1`, 'ls')
    await begin()
    expect(await lsAllowedTheRestDenied()).toEqual(['rm -rf ~'])
    expect(await said).toMatch(DENIED)
  })

  it('[BR1] posted after it, takes none either, also over a restart', async () => {
    const { name, said, begin } = await heldHook('rm -rf ~')
    await begin()
    const { id, digest } = (await answerable('rm -rf ~')) ?? {}
    for (const key of [`${name}@1`, `${name}@${Date.now()}999999`, id ?? '']) await forge(key, 'ls')
    await daemon.kill('SIGTERM')
    daemon = await home.start()
    await until('its hook waits again', () => answerable('rm -rf ~'))
    expect((await answerable('rm -rf ~'))?.digest).toBe(digest)
    expect(await lsAllowedTheRestDenied()).toEqual(['rm -rf ~'])
    expect(await said).toMatch(DENIED)
  })

  it('[BR1] posted under the key its file will have, does not hide it', async () => {
    // A whole second: no file system keeps another.
    const at = Math.floor(Date.now() / 1000 - 1) * 1000
    await forge(`hook.1@${at}000000`, 'ls')
    home.write(asking('real', 'make'), { asks: 1 }, at)
    await home.taken()
    const { requests } = await home.client.requests()
    expect(requests.map(({ input }) => input)).toEqual([{ command: 'make' }])
  })
})

it('[BR2] a hook gets no answer by the name of another’s report', async () => {
  const { told, body } = await waitingHook(home, asking('real', 'rm -rf ~'))
  await until('it waits', () => answerable('rm -rf ~'))
  const { id = '', digest = '' } = (await answerable('rm -rf ~')) ?? {}
  expect(digest).toBe(body.digest)
  const outcome = async (of: object) => {
    const asked = { path: '/v1/requests/outcome', body: { ...body, ...of }, silenceMaxMs: 10_000 }
    return JSON.parse(await ask(home.folders, { method: 'POST', ...asked }))
  }
  const other = { digest: digestOf(asking('real', 'ls')) }
  expect([await outcome({}), await outcome(other)]).toEqual([{ act: 'again' }, { act: 'nothing' }])
  await home.client.answer(id, { choice: 'allow', where: 'cli', shown: digest })
  expect(await told).toMatchObject({ act: 'decide', digest })
  expect(await outcome({})).toEqual({ act: 'nothing' })
})

it('[BR3] a posted report stands for no Stop of a loop', async () => {
  home.write({ session_id: 'looped', cwd: '/p', hook_event_name: 'UserPromptSubmit', prompt: 'x' })
  await home.taken()
  await home.client.startLoop({ ...A_LOOP, session: 'looped' })
  const said = { last_assistant_message: 'All done.' }
  const payload = { session_id: 'looped', cwd: '/p', hook_event_name: 'Stop', ...said }
  const env = { asks: 1, loopOff: 1 }
  const report = { source: 'hook' as const, payload, env, t: Date.now() }
  await home.client.post({ key: 'hook.77@1', report })
  const body = { report: 'hook.77', digest: digestOf(payload) }
  const asked = { method: 'POST' as const, path: '/v1/loops/answer', body, silenceMaxMs: 10_000 }
  expect(JSON.parse(await ask(home.folders, asked))).toEqual({ act: 'allow' })
  expect(await home.client.loop('looped')).toMatchObject({ iteration: 0, hold: null })
})
