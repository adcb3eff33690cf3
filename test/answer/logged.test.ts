import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { loggedRequest } from '../../src/daemon/requests/logged-request.ts'
import type { Session } from '../../src/protocol/session.ts'
import { pidOf, RequestRig } from '../support/requests.ts'
import { aSession } from '../support/sessions.ts'

const ID = '5e551045-0000-4000-8000-000000000035'

let root: string
let transcript: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'vigil-logged-'))
  const folder = join(root, '.claude', 'projects', '-p')
  mkdirSync(folder, { recursive: true })
  transcript = join(folder, `${ID}.jsonl`)
})
afterEach(() => rmSync(root, { recursive: true }))

const call = (id: string, name = 'Bash') => ({
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id, name, input: { command: `touch ${id}` } }] },
})
const write = (...entries: object[]) =>
  writeFileSync(transcript, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
const mute = (over: Partial<Session> = {}) =>
  aSession({ id: ID, state: 'waiting', for: 'permission', since: 7, transcript, ...over })

it('[AN35] a session without hooks asks about the one call of its log that has no result', () => {
  write(call('t1'))
  const kept = loggedRequest(mute())
  expect(kept).toMatchObject({ id: `log:${ID}:t1`, at: 7, waits: false, crowded: false })
  expect(kept?.asked).toMatchObject({ session: ID, tool: 'Bash', input: { command: 'touch t1' } })
  expect(kept?.spooled.digest).toMatch(/^[\da-f]{64}$/)
  write({ ...call('t1'), message: { content: [{ type: 'tool_use', id: 't1', name: 'Edit' }] } })
  expect(loggedRequest(mute())?.spooled.digest).not.toBe(kept?.spooled.digest)
})

it('[AN35] and about none where that is not certain', () => {
  write(call('t1'), call('t2'))
  expect(loggedRequest(mute())).toBeUndefined()
  write(call('t1'))
  const task = { id: 'a1', what: 'subagent', label: null, since: 1 }
  const others: Partial<Session>[] = [
    { state: 'working' },
    { for: 'question' },
    { for: 'dialog' },
    { transcript: null },
    { transcript: join(root, 'elsewhere.jsonl') },
    { agent: 'another' },
    { tasks: [task] as unknown as Session['tasks'] },
  ]
  for (const over of others) expect(loggedRequest(mute(over))).toBeUndefined()
})

/** A session that tells its state in its registry file alone. */
function muteRig() {
  write(call('t1'))
  const rig: RequestRig = new RequestRig({
    logged: () => loggedRequest(mute({ state: rig.tracker.verdict(ID)?.state ?? 'idle' })),
  })
  const says = (status: string) => {
    rig.now += 10
    const pid = pidOf(ID)
    const file = { pid, sessionId: ID, cwd: '/p', status, statusUpdatedAt: rig.now }
    rig.learn({ source: 'registry', pid, file, t: rig.now })
  }
  const logs = (entry: object) => {
    rig.now += 10
    const own = { sessionId: ID, uuid: `u${rig.now}`, timestamp: new Date(rig.now).toISOString() }
    rig.learn({ source: 'transcript', path: transcript, entry: { ...entry, ...own }, t: rig.now })
  }
  says('busy')
  logs(call('t1'))
  says('waiting')
  return { rig, says, logs }
}

it('[AN35] what it asks says that it is from the log, and is not answerable by itself', () => {
  const { rig } = muteRig()
  expect(rig.requests.list()).toMatchObject([
    {
      id: `log:${ID}:t1`,
      answerable: false,
      why: 'the session has no hooks; answer it in its terminal',
    },
  ])
  expect(rig.requests.asksOf(ID)).toEqual([])
})

it('[AN35] it is over when the session waits no more, and does not come back', () => {
  const { rig, says } = muteRig()
  says('busy')
  expect(rig.requests.list()).toEqual([])
  says('waiting')
  expect(rig.requests.list()).toEqual([])
})

it('[AN35] it is over when its call has a result', () => {
  const { rig, logs } = muteRig()
  const content = [{ type: 'tool_result', tool_use_id: 't1', content: 'done' }]
  logs({ type: 'user', message: { role: 'user', content } })
  expect(rig.requests.list()).toEqual([])
})

it('[AN35] it is over when a hook reports: from then on requests come from hooks', () => {
  const { rig } = muteRig()
  rig.hook(ID, 'SessionStart', { source: 'startup' })
  expect(rig.requests.list()).toEqual([])
})

it('[AN35][AN17] it outlasts the daemon, and ends as any other', () => {
  const { rig } = muteRig()
  const next = new RequestRig({ table: rig.table })
  next.now = rig.now
  next.learnFrom(rig)
  next.requests.start()
  expect(next.requests.list()).toMatchObject([{ id: `log:${ID}:t1` }])
})
