import { expect, it } from 'vitest'
import type { ServerAct } from '../../src/agents/servers.ts'
import { LocalPanes } from '../../src/daemon/panes/panes.ts'
import { AgentServers } from '../../src/daemon/requests/agent-servers.ts'
import { AdminPolicy } from '../../src/home/policy.ts'
import type { Session } from '../../src/protocol/session.ts'
import { aSession } from '../support/sessions.ts'

const ADA = { who: 'Ada', where: 'page' } as const

/** The panes of a session outside of tmux that a server holds. */
function served(over: Partial<Session> = {}, policy = new AdminPolicy()) {
  const session = aSession({ id: 'one', agent: 'codex', state: 'idle', tmuxPane: null, ...over })
  const servers = new AgentServers()
  const acts: ServerAct[] = []
  const words: string[] = []
  let why: string | undefined
  servers.add({
    holds: (id) => id === 'one',
    act: async (act) => {
      words.push(act.kind)
      acts.push(act)
      return why
    },
  })
  const panes = new LocalPanes({
    ...{ session: () => session, servers, policy, now: () => 1, complain: () => {} },
    acts: {
      note: (act) => {
        words.push(`${act.what} ${act.words}`)
        return { ...act, id: 1, at: 0 }
      },
    },
  })
  const refuse = (said: string) => {
    why = said
  }
  return { panes, acts, words, refuse }
}

it('[CX45] needs the same permission as typing, and no pane', async () => {
  const { panes, acts, words } = served()
  await expect(panes.prompt('one', 'go', ADA)).rejects.toThrow('typing is off')
  expect(panes.setTyping('one', true, ADA).on).toBe(true)
  expect(await panes.prompt('one', 'go', ADA)).toEqual({ done: true, queued: false })
  expect(acts).toMatchObject([{ kind: 'prompt', session: 'one', text: 'go', queue: false }])
  expect(words).toEqual(['typing allowed typing', 'prompt go', 'prompt'])
})

it('[CX45] a prompt to a working session waits in the client’s queue', async () => {
  const { panes, acts } = served({ state: 'working' })
  panes.setTyping('one', true, ADA)
  expect(await panes.prompt('one', 'go', ADA)).toEqual({ done: true, queued: true })
  await panes.interrupt('one', ADA)
  expect(acts).toMatchObject([{ kind: 'prompt', queue: true }, { kind: 'interrupt' }])
})

it('[CX45] what the server refuses is an error; a waiting session gets no prompt', async () => {
  const { panes, refuse } = served({ state: 'working' })
  panes.setTyping('one', true, ADA)
  refuse('no turn is running')
  await expect(panes.interrupt('one', ADA)).rejects.toThrow('no turn is running')
  const waiting = served({ state: 'waiting' })
  waiting.panes.setTyping('one', true, ADA)
  await expect(waiting.panes.prompt('one', 'go', ADA)).rejects.toThrow('it is waiting')
  expect(waiting.acts).toEqual([])
})

it('[CX45] a loop’s prompt goes the same way, under the same permission', async () => {
  const { panes, acts } = served()
  const session = aSession({ id: 'one', agent: 'codex', tmuxPane: null })
  expect(await panes.ofLoops.type(session, 'go')).toContain('typing is off')
  panes.setTyping('one', true, ADA)
  expect(await panes.ofLoops.whyNot(session)).toBeUndefined()
  expect(await panes.ofLoops.type(session, 'go')).toBeUndefined()
  expect(acts).toHaveLength(1)
})
