import { claude } from '../../src/agents/claude/index.ts'

const { loop } = claude
if (!loop) throw new Error('expected an agent that can be held in a loop')

/** What a hook has to print to make its agent go on. */
export const goesOn = (reason: string) => ({ act: 'print', ...loop.goOn(reason) })

/** The same for what the agent is reminded of after a compaction. */
export const reminded = (text: string) => ({ act: 'print', ...loop.remind(text) })
