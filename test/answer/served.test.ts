import { expect, it } from 'vitest'
import type { AskedCall } from '../../src/agents/answers.ts'
import { agentOf } from '../../src/agents/index.ts'
import type { ServerAct } from '../../src/agents/servers.ts'
import { AgentServers } from '../../src/daemon/requests/agent-servers.ts'
import { overBy } from '../../src/daemon/requests/over.ts'
import { MemoryActs, RequestRig } from '../support/requests.ts'

const CALL: AskedCall = {
  ...{ session: 'one', kind: 'permission', tool: 'Bash', actor: null, cut: false },
  ...{ input: { command: 'npm test', cwd: '/p' }, questions: [], plan: null },
  offers: ['acceptForSession'],
}

/** Requests of a server that holds the session `one`, and takes answers as the test says. */
function served({ table = new MemoryActs() } = {}) {
  const servers = new AgentServers()
  const acts: ServerAct[] = []
  let result: (act: ServerAct) => Promise<string | undefined> = async () => undefined
  servers.add({
    holds: (session) => session === 'one',
    act: (act) => {
      acts.push(act)
      return result(act)
    },
  })
  const rig = new RequestRig({ table, servers })
  const asks = (id = 'r1', more: object = {}) =>
    servers.asked.emit({
      agent: 'codex',
      request: { id, at: rig.now, asked: { ...CALL, ...more } },
    })
  const over = (id = 'r1') => servers.over.emit({ id, how: 'answered in its terminal' })
  const give = (next: typeof result) => {
    result = next
  }
  return { rig, acts, asks, over, give, table }
}

const allow = { choice: 'allow', where: 'page' } as const
const deny = { choice: 'deny', where: 'cli' } as const

it('[CX42] a request is answered under its own id, and the answer is logged before', async () => {
  const { rig, acts, asks, table, give } = served()
  asks()
  expect(rig.requests.asksOf('one')).toEqual(['server:r1'])
  expect(rig.requests.find('server:r1')).toMatchObject({ answerable: true, tool: 'Bash' })
  let logged = 0
  give(async () => {
    logged = table.rows.length
    return undefined
  })
  await rig.answer('server:r1', allow, 'Ada')
  const output = { decision: 'accept' }
  expect(acts).toEqual([{ kind: 'answer', request: 'r1', output, at: rig.now }])
  expect(logged).toBe(1)
  expect(table.rows).toMatchObject([{ who: 'Ada', where: 'page', words: 'allowed Bash' }])
  expect(table.rows[0]?.shown).toContain('npm test')
  expect(rig.requests.asksOf('one')).toEqual([])
  expect(() => rig.answer('server:r1', allow, 'Ada')).toThrow('answered on the page')
})

it('[CX42] what was shown is what is answered', () => {
  const { rig, acts, asks, over } = served()
  asks()
  const shown = rig.requests.find('server:r1')?.digest ?? ''
  over()
  asks('r1', { input: { command: 'rm -rf /', cwd: '/p' } })
  expect(rig.requests.find('server:r1')?.digest).not.toBe(shown)
  expect(() => rig.requests.answer('server:r1', { ...allow, shown }, 'Ada')).toThrow('has changed')
  expect(() => rig.requests.answer('server:r1', allow, 'Ada')).toThrow('has changed')
  expect(acts).toEqual([])
})

it('[CX42] an answer that the server does not accept leaves the request as it is', async () => {
  const { rig, asks, give } = served()
  asks()
  give(async () => 'its server did not answer')
  await expect(rig.answer('server:r1', allow, 'Ada')).rejects.toThrow('its server did not answer')
  expect(rig.requests.asksOf('one')).toEqual(['server:r1'])
})

it('[CX42] two answers at once are one', async () => {
  const { rig, acts, asks, give } = served()
  asks()
  const taken = Promise.withResolvers<undefined>()
  give(() => taken.promise)
  const first = rig.answer('server:r1', allow, 'Ada')
  await expect(rig.answer('server:r1', deny, 'Eve')).rejects.toThrow('being answered already')
  taken.resolve(undefined)
  await first
  expect(acts).toHaveLength(1)
})

it('[CX42] what is over, or cannot be logged, is not answered', async () => {
  const { rig, acts, asks, over, table } = served()
  asks()
  over()
  expect(() => rig.answer('server:r1', allow, 'Ada')).toThrow('answered in its terminal')
  asks('r2')
  table.failure = new Error('the disk is full')
  await expect(rig.answer('server:r2', allow, 'Ada')).rejects.toThrow('the disk is full')
  expect(acts).toEqual([])
})

it('[CX42] answering that is off is off for servers too', () => {
  const { rig, asks, acts } = served()
  asks()
  rig.allowed.use({ on: false })
  expect(rig.requests.asksOf('one')).toEqual([])
  expect(() => rig.answer('server:r1', allow, 'Ada')).toThrow('answering is off')
  expect(acts).toEqual([])
})

it('[CX40] two requests are answered each on its own, in any order', async () => {
  const { rig, acts, asks } = served()
  asks('r1')
  asks('r2', { input: { command: 'make' } })
  asks('r3', { actor: 'agent' })
  expect(rig.requests.list().map(({ actor }) => actor)).toEqual([null, null, 'agent'])
  await rig.answer('server:r2', { ...deny, word: ' use make ' }, 'Ada')
  expect(acts).toMatchObject([{ request: 'r2', output: { decision: 'decline' }, word: 'use make' }])
  expect(rig.requests.asksOf('one')).toEqual(['server:r1', 'server:r3'])
})

it('[CX40] a request of a server is not stored: the server sends it again', () => {
  const { asks, table } = served()
  asks()
  expect(table.requests()).toEqual([])
})

const HOOK = {
  ...{ session_id: 'one', hook_event_name: 'PermissionRequest', cwd: '/p', turn_id: 'u' },
  ...{ tool_name: 'Bash', tool_input: { command: 'npm test', description: 'May I?' } },
}
const hook = (t: number) => ({ t, source: 'hook' as const, agent: 'codex', payload: HOOK, env: {} })

it('[CX44] where a server holds the session a hook opens no second request', () => {
  const { rig, asks } = served()
  rig.learn(hook(rig.now), 'hook.1')
  expect(rig.requests.list()).toEqual([])
  asks()
  expect(rig.requests.list()).toHaveLength(1)
})

it('[CX44] a request that a hook opened before gives way to the server’s', () => {
  const servers = new AgentServers()
  const rig = new RequestRig({ servers })
  rig.learn(hook(rig.now), 'hook.1')
  expect(rig.requests.list()).toMatchObject([{ tool: 'Bash', answerable: false }])
  servers.asked.emit({ agent: 'codex', request: { id: 'r1', at: rig.now, asked: CALL } })
  expect(rig.requests.list()).toMatchObject([{ id: 'server:r1', answerable: true }])
})

it('[CX44] without a server it is the hook’s, for its pane', () => {
  const askedIn = agentOf('codex')?.answers?.askedIn(hook(1))
  expect(askedIn).toMatchObject({
    ...{ session: 'one', actor: null, tool: 'Bash', kind: 'permission' },
    input: { command: 'npm test', reason: 'May I?' },
  })
  expect(agentOf('codex')?.answers?.waits(hook(1))).toBe(false)
  expect(overBy(undefined, undefined, { key: 'server|r1', at: 1 })).toBeUndefined()
})
