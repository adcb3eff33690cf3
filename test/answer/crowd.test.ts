import { describe, expect, it } from 'vitest'
import { MemoryActs, RequestRig } from '../support/requests.ts'

const LONG = 'x'.repeat(250_000)
const MB = 1024 * 1024
const CROWDED = 'too many requests are open at once; answer this one in its terminal'

const pids = new Map<string, number>()

/** One dialog of a session: each of its subagents may have one. */
function asks(rig: RequestRig, session: string, command: string, actor?: string): void {
  const call = { tool_name: 'Bash', tool_input: { command } }
  const more = { ...call, ...(actor && { agent_id: actor }) }
  // Each session in a process of its own.
  const claudePid = pids.get(session) ?? 10_000 + pids.size
  pids.set(session, claudePid)
  rig.hook(session, 'PermissionRequest', more, { asks: 1, claudePid })
}

function sizeOf(rig: RequestRig): number {
  return Buffer.byteLength(JSON.stringify(rig.requests.list()))
}

function wholeOf(rig: RequestRig, session: string): number {
  return rig.requests.list({ session }).filter(({ cut }) => !cut).length
}

describe('too much asked at once', () => {
  it('[BR4] stays within 16 MB, and all of it is listed', () => {
    const rig = new RequestRig()
    for (let n = 0; n < 80; n++) asks(rig, `s${n}`, `${n} ${LONG}`)
    expect(rig.requests.list()).toHaveLength(80)
    expect(sizeOf(rig)).toBeLessThanOrEqual(16 * MB)
    expect(sizeOf(rig)).toBeGreaterThan(14 * MB)
  })

  it('[BR4] costs the session that takes most, its oldest first, and no other', () => {
    const rig = new RequestRig()
    const modest = Array.from({ length: 54 }, (_, n) => `modest-${n}`)
    for (const session of modest.slice(0, 27)) asks(rig, session, LONG)
    for (let n = 0; n < 16; n++) asks(rig, 'greedy', `${n} ${LONG}`, `agent-${n}`)
    for (const session of modest.slice(27)) asks(rig, session, LONG)
    const greedy = rig.requests.list({ session: 'greedy' })
    expect(greedy).toHaveLength(16)
    expect(modest.filter((session) => wholeOf(rig, session) !== 1)).toEqual([])
    const cut = greedy.map((request) => request.cut)
    expect(cut).toEqual(cut.toSorted((a, b) => Number(b) - Number(a)))
    expect([cut.at(0), cut.at(-1)]).toEqual([true, false])
  })

  it('[BR4] is sent cut, can be denied and not allowed, also after a restart', async () => {
    const table = new MemoryActs()
    const rig = new RequestRig({ table })
    const { id, name } = rig.asks('first', 'Bash', { command: `${LONG} a little more` })
    for (let n = 0; n < 80; n++) asks(rig, `s${n}`, `${n} ${LONG}`)
    const next = new RequestRig({ table })
    next.learnFrom(rig)
    next.now = rig.now
    next.requests.start()
    expect(JSON.stringify([...table.stored.values()]).length).toBeLessThan(20 * MB)
    const { told } = next.waits(name)
    const request = next.requests.find(id)
    expect(request).toMatchObject({ cut: true, answerable: true })
    expect(JSON.stringify(request).length).toBeLessThan(2_000)
    const allow = () => next.requests.answer(id, { choice: 'allow', where: 'page' }, 'ada')
    expect(allow).toThrow(CROWDED)
    next.requests.answer(id, { choice: 'deny', where: 'page' }, 'ada')
    expect(await told).toMatchObject({
      output: { hookSpecificOutput: { decision: { behavior: 'deny' } } },
    })
  })

  it('[BR4] beyond a thousand the session with most gives one up', () => {
    const rig = new RequestRig()
    asks(rig, 'modest', 'make')
    for (let n = 0; n < 4; n++) asks(rig, 'greedy', `echo ${n}`, `agent-${n}`)
    for (let n = 0; n < 997; n++) asks(rig, `s${n}`, 'ls')
    expect(rig.requests.list()).toHaveLength(1_000)
    expect(rig.requests.list({ session: 'modest' })).toHaveLength(1)
    expect(rig.requests.list({ session: 'greedy' }).map(({ actor }) => actor)).toEqual([
      'agent-2',
      'agent-3',
    ])
  })
})

it('[BR5] what is not told whole cannot be allowed from here', async () => {
  const rig = new RequestRig()
  const { id, name } = rig.asks('one', 'Bash', { command: 'y'.repeat(300_000) })
  rig.waits(name)
  expect(rig.requests.find(id)).toMatchObject({ cut: true, answerable: true })
  const allow = () => rig.requests.answer(id, { choice: 'allow', where: 'page' }, 'ada')
  expect(allow).toThrow(/too long to be answered from here/)
  rig.requests.answer(id, { choice: 'deny', where: 'page' }, 'ada')
})
