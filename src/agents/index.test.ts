import { expect, it } from 'vitest'
import type { Report } from '../core/signal.ts'
import { AGENTS, agentOf, translate } from './index.ts'

const prompt = { hook_event_name: 'UserPromptSubmit', session_id: 's' }
const report = (more: object): Report => ({ t: 1, source: 'hook', payload: prompt, ...more })

it('[X12] a report without an agent is Claude Code’s, one of an unknown agent says nothing', () => {
  const named = translate(report({ agent: 'claude' }))
  expect(named.map(({ about }) => about.agent)).toContain('claude')
  expect(translate(report({}))).toEqual(named)
  for (const agent of ['copilot', '', 7, {}, 'toString'])
    expect(translate(report({ agent }))).toEqual([])
})

it('every agent has an id of its own', () => {
  expect(new Set(AGENTS.map(({ id }) => id)).size).toBe(AGENTS.length)
  for (const agent of AGENTS) expect(agentOf(agent.id)).toBe(agent)
})
