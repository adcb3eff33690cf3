import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Said, ServerActPlan } from '../servers.ts'
import { server } from './server-talk.ts'

const ROOT = '01a1e50d-2134-79e1-b4d4-62d26b7368de'
const CHILD = '01a1e50d-2134-79e1-b4d4-000000000001'

/** A conversation with a server that holds the session and a subagent of it. */
function meeting() {
  const talk = server.talk()
  talk.open()
  const told: Said[] = []
  const take = (message: object) => {
    const said = talk.take(message)
    told.push(said)
    return said
  }
  const thread = (id: string, more: object = {}) =>
    take({
      method: 'thread/started',
      params: { thread: { id, status: { type: 'idle' }, ...more } },
    })
  const status = (threadId: string, ...activeFlags: string[]) =>
    take({
      method: 'thread/status/changed',
      params: { threadId, status: { type: 'active', activeFlags } },
    })
  const asks = (id: number, more: object = {}, method = 'item/commandExecution/requestApproval') =>
    take({ method, id, params: { ...COMMAND, itemId: `item-${id}`, ...more } })
  const resolved = (requestId: number, emittedAtMs = 2_000, threadId = ROOT) =>
    take({ method: 'serverRequest/resolved', params: { threadId, requestId }, emittedAtMs })
  thread(ROOT)
  return { talk, take, thread, status, asks, resolved }
}

const COMMAND = {
  ...{ kind: 'command', threadId: ROOT, turnId: 'turn', startedAtMs: 1_000, reason: null },
  ...{ command: "/bin/bash -lc 'npm test'", cwd: '/p' },
}
const sent = ({ send }: Pick<Said, 'send'>) =>
  send.map((message) => {
    const { id: _, ...rest } = message as { id?: unknown }
    return rest
  })
const subscribe = (threadId: string, more: object = {}) => ({
  method: 'thread/resume',
  params: { threadId, excludeTurns: true, ...more },
})
const unsubscribe = (threadId: string) => ({
  method: 'thread/unsubscribe',
  params: { threadId },
})
const idOf = (said: Said) => said.asked?.[0]?.id ?? ''
const answer = (request: string, more: object = {}) =>
  ({ kind: 'answer', request, output: { decision: 'accept' }, at: 1_500, ...more }) as const
const planned = (plan: ServerActPlan | { why: string }) => plan as ServerActPlan

describe('a thread', () => {
  it('[CX41] is subscribed to when it begins to wait, and left when it no longer does', () => {
    const { status, asks } = meeting()
    expect(sent(status(ROOT))).toEqual([])
    expect(sent(status(ROOT, 'waitingOnApproval'))).toEqual([subscribe(ROOT)])
    asks(0)
    expect(sent(status(ROOT, 'waitingOnApproval'))).toEqual([])
    expect(sent(status(ROOT))).toEqual([unsubscribe(ROOT)])
    expect(sent(status(ROOT))).toEqual([])
    expect(sent(status(ROOT, 'waitingOnUserInput'))).toEqual([subscribe(ROOT)])
  })

  it('[CX41] that waited before vigil connected is subscribed to', () => {
    const talk = server.talk()
    const [hello] = talk.open().send as { id: number }[]
    const [, loaded] = talk.take({ id: hello?.id, result: {} }).send as { id: number }[]
    const [read] = talk.take({ id: loaded?.id, result: { data: [ROOT] } }).send as { id: number }[]
    const status = { type: 'active', activeFlags: ['waitingOnApproval'] }
    const said = talk.take({ id: read?.id, result: { thread: { id: ROOT, status } } })
    expect(sent(said)).toEqual([subscribe(ROOT)])
    expect(said.report).toHaveLength(1)
  })

  it('[CX41] of a subagent is left: the server subscribes every connection to it', () => {
    const { thread, status } = meeting()
    const begun = thread(CHILD, { parentThreadId: ROOT, sessionId: ROOT })
    expect(sent(begun)).toEqual([unsubscribe(CHILD)])
    expect(sent(status(CHILD, 'waitingOnApproval'))).toEqual([subscribe(CHILD)])
  })

  it('[CX41] of the client itself, and one that is not known, is not subscribed to', () => {
    const { thread, status } = meeting()
    thread('title', { ephemeral: true })
    expect(sent(status('title', 'waitingOnApproval'))).toEqual([])
    const unknown = sent(status('other', 'waitingOnApproval'))
    expect(unknown).toEqual([{ method: 'thread/read', params: { threadId: 'other' } }])
  })

  it('[CX41] sends no text of its conversation, piece by piece', () => {
    const [hello] = server.talk().open().send as { params: { capabilities: object } }[]
    expect(hello?.params.capabilities).toMatchObject({
      optOutNotificationMethods: expect.arrayContaining(['item/agentMessage/delta']),
    })
  })
})

describe('a request', () => {
  it('[CX40] is one, however often it is sent; two are two', () => {
    const { asks } = meeting()
    const [first, second] = [asks(0), asks(1)]
    expect(asks(0).asked).toBeUndefined()
    expect(idOf(first)).not.toBe(idOf(second))
    expect(first.asked?.[0]).toMatchObject({ at: 1_000, asked: { session: ROOT, actor: null } })
    const again = meeting().asks(0)
    expect(idOf(again)).toBe(idOf(first))
    expect(idOf(meeting().asks(0, { itemId: 'another' }))).not.toBe(idOf(first))
  })

  it('[CX40] of a subagent is its session’s, and names the subagent', () => {
    const { thread, asks } = meeting()
    thread(CHILD, { parentThreadId: ROOT, sessionId: ROOT })
    expect(asks(0, { threadId: CHILD }).asked?.[0]?.asked).toMatchObject({
      session: ROOT,
      actor: CHILD,
    })
  })

  it('[CX40] of another kind, or of a thread that is no session, is left to the terminal', () => {
    const { asks, thread } = meeting()
    thread('title', { ephemeral: true })
    for (const method of ['item/tool/call', 'mcpServer/elicitation/request', 'currentTime/read'])
      expect(asks(0, {}, method)).toEqual({ send: [], report: [] })
    expect(asks(0, { threadId: 'title' }).asked).toBeUndefined()
    expect(asks(0, { itemId: 5 }).asked).toBeUndefined()
  })

  it('[CX46] for a file change has the files that were announced for it', () => {
    const { take, asks } = meeting()
    const changes = [{ path: '/p/a', kind: { type: 'update' }, diff: '@@ -1 +1 @@\n-x\n+y\n' }]
    take({
      method: 'item/started',
      params: { item: { type: 'fileChange', id: 'item-0', changes } },
    })
    const said = asks(0, {}, 'item/fileChange/requestApproval')
    expect(said.asked?.[0]?.asked.input).toMatchObject({
      changes: [{ path: '/p/a', before: 'x', after: 'y' }],
    })
  })

  it('[CX46] for a file change that was announced before is looked up in its turn', () => {
    const { take, asks } = meeting()
    const sought = asks(0, {}, 'item/fileChange/requestApproval')
    expect(sought.asked).toBeUndefined()
    const page = { initialTurnsPage: { limit: 1, itemsView: 'full' } }
    expect(sent(sought)).toEqual([subscribe(ROOT, page)])
    const item = { type: 'fileChange', id: 'item-0', changes: [{ path: '/p/a', diff: 'x' }] }
    const [asked] = sought.send as { id: number }[]
    const found = take({
      id: asked?.id,
      result: { initialTurnsPage: { data: [{ items: [item] }] } },
    })
    expect(found.asked?.[0]?.asked.input).toMatchObject({ changes: [{ path: '/p/a', diff: 'x' }] })
  })

  it('[CX46] for a file change that is not found is shown without', () => {
    const { take, asks } = meeting()
    const [asked] = asks(0, {}, 'item/fileChange/requestApproval').send as { id: number }[]
    const said = take({ id: asked?.id, error: { message: 'no' } })
    expect(said.asked?.[0]?.asked.input).not.toHaveProperty('changes')
  })

  it.each([
    ['its thread no longer waits', (m: ReturnType<typeof meeting>) => m.status(ROOT)],
    ['it was answered', (m: ReturnType<typeof meeting>) => m.resolved(0)],
    [
      'its thread is unloaded',
      (m: ReturnType<typeof meeting>) =>
        m.take({ method: 'thread/closed', params: { threadId: ROOT } }),
    ],
  ])('[CX42] is over when %s', (_, end) => {
    const met = meeting()
    const id = idOf(met.asks(0))
    expect(end(met).over).toEqual([id])
    expect(met.talk.act(answer(id))).toEqual({ why: 'the request is over' })
  })

  it('[CX40] any message gives a request or none', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), (params, id, text) => {
        const { take } = meeting()
        for (const method of [
          'item/commandExecution/requestApproval',
          'item/fileChange/requestApproval',
          'item/tool/requestUserInput',
          'serverRequest/resolved',
          'thread/status/changed',
          text,
        ])
          take({ method, id, params })
        take({
          method: 'item/tool/requestUserInput',
          id: 1,
          params: { ...COMMAND, questions: params },
        })
      }),
    )
  })
})

describe('an answer', () => {
  it('[CX42] goes to the request’s own number, once', () => {
    const { talk, asks, resolved } = meeting()
    const id = idOf(asks(7))
    const plan = planned(talk.act(answer(id)))
    expect(plan.send).toEqual([{ id: 7, result: { decision: 'accept' } }])
    expect(talk.act(answer(id))).toEqual({ why: 'the request is over' })
    expect(resolved(7).done).toEqual([{ act: plan.act }])
  })

  it('[CX42] that comes after another is not accepted', () => {
    const { talk, asks, resolved } = meeting()
    const why = 'it was answered in its terminal before'
    const { act } = planned(talk.act(answer(idOf(asks(0)))))
    expect(resolved(0, 1_499).done).toEqual([{ act, why }])
    const worded = planned(talk.act(answer(idOf(asks(1)), { word: 'no' })))
    const told = { act: worded.act, why: `${why}; the message was sent to the agent` }
    expect(resolved(1, 1_499).done).toEqual([told])
  })

  it('[CX42] to a request that is withdrawn is not accepted', () => {
    const { talk, asks, status } = meeting()
    const { act } = planned(talk.act(answer(idOf(asks(0)))))
    expect(status(ROOT).done).toEqual([{ act, why: 'the request was withdrawn' }])
  })

  it('[CX43] with a word sends it into the same turn, at once', () => {
    const { talk, take, asks, resolved } = meeting()
    const { act, send } = planned(talk.act(answer(idOf(asks(0)), { word: 'use make' })))
    const input = [{ type: 'text', text: 'use make' }]
    const params = { threadId: ROOT, expectedTurnId: 'turn', input }
    expect(send[0]).toMatchObject({ id: 0 })
    expect(sent({ send: send.slice(1) })).toEqual([{ method: 'turn/steer', params }])
    expect(resolved(0).done).toBeUndefined()
    const [, steer] = send as { id: number }[]
    expect(take({ id: steer?.id, result: {} }).done).toEqual([{ act }])
  })

  it('[CX43] says so when its word was not accepted', () => {
    const { talk, take, asks, resolved } = meeting()
    const { act, send } = planned(talk.act(answer(idOf(asks(0)), { word: 'use make' })))
    resolved(0)
    const [, steer] = send as { id: number }[]
    const why = 'it was denied, but the message to the agent was not accepted: no active turn'
    const error = { message: 'no active turn' }
    expect(take({ id: steer?.id, error }).done).toEqual([{ act, why }])
  })
})

describe('an act', () => {
  it('[CX45] a prompt starts a turn, or waits in the client’s queue', () => {
    const { talk, take } = meeting()
    const prompt = { kind: 'prompt', session: ROOT, text: 'go', name: 'n1' } as const
    const params = {
      ...{ threadId: ROOT, input: [{ type: 'text', text: 'go' }] },
      clientUserMessageId: 'n1',
    }
    const plan = planned(talk.act({ ...prompt, queue: false }))
    expect(sent(plan)).toEqual([{ method: 'turn/start', params }])
    const queued = planned(talk.act({ ...prompt, queue: true }))
    expect(sent(queued)).toEqual([{ method: 'thread/queue/add', params }])
    const [started, added] = [...plan.send, ...queued.send] as { id: number }[]
    expect(take({ id: started?.id, result: {} }).done).toEqual([{ act: plan.act }])
    const refused = take({ id: added?.id, error: { message: 'not loaded' } })
    expect(refused.done).toEqual([{ act: queued.act, why: 'not loaded' }])
  })

  it('[CX45] an interrupt ends the turn that runs, and only that', () => {
    const { talk, take } = meeting()
    const interrupt = (data: object[]) => {
      const plan = planned(talk.act({ kind: 'interrupt', session: ROOT }))
      const [listed] = plan.send as { id: number }[]
      return { plan, said: take({ id: listed?.id, result: { data } }) }
    }
    const running = interrupt([{ id: 'turn', status: 'inProgress' }])
    const params = { threadId: ROOT, turnId: 'turn' }
    expect(sent(running.said)).toEqual([{ method: 'turn/interrupt', params }])
    const [ended] = running.said.send as { id: number }[]
    expect(take({ id: ended?.id, result: {} }).done).toEqual([{ act: running.plan.act }])
    const idle = interrupt([{ id: 'turn', status: 'completed' }])
    expect(idle.said.done).toEqual([{ act: idle.plan.act, why: 'no turn is running' }])
    expect(idle.said.send).toEqual([])
  })
})
