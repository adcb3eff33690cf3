import { onTestFinished } from 'vitest'
import type { Agent } from '../../src/agents/agent.ts'
import { AGENTS } from '../../src/agents/index.ts'
import { twoFiles } from './two-files.ts'

/** An agent that does not exist, as far as installing and commands need one. */
export const otherAgent: Agent = {
  id: 'other',
  title: 'Other',
  command: 'other',
  translate: () => [],
  recognise: ([program]) => (program === 'othershell' ? 'wrapper' : undefined),
  homes: ({ OTHER_HOME }, userHome) => [OTHER_HOME ?? `${userHome}/.other`],
  variables: { marks: ['IN_OTHER'], home: 'OTHER_HOME' },
  setup: twoFiles,
}

/** Known for the length of a test. */
export function withOther(): void {
  AGENTS.push(otherAgent)
  onTestFinished(() => void AGENTS.pop())
}
