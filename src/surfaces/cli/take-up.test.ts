import { expect, it } from 'vitest'
import type { Session } from '../../protocol/session.ts'
import { takeUp } from './take-up.ts'

const session = (agent: string, id: string) => ({ agent, id, cwd: '/none/such' }) as Session

it.each(['claude', 'codex'])('[TU12] %s is given no id that could be an option', async (agent) => {
  for (const id of ['--dangerously-bypass', '-c', 'one two', 'a;b', ''])
    await expect(takeUp(session(agent, id))).rejects.toThrow('no id of a session')
  await expect(takeUp(session(agent, '01a1e513-fe32'))).rejects.toThrow('no longer exists')
})
