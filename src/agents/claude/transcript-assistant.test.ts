import { describe, expect, it } from 'vitest'
import { fromAssistant } from './transcript-assistant.ts'

const call = (name: unknown, input: unknown = {}, id: unknown = 'tool-1') => ({
  type: 'tool_use',
  id,
  name,
  input,
})
const told = (message: unknown, fields: object = {}, actor?: string) =>
  fromAssistant({ type: 'assistant', message, ...fields }, actor)

const SPOKE = { kind: 'spoke' }

describe('a message', () => {
  it('[T3] whose last word is said ends its turn', () => {
    for (const stop_reason of ['end_turn', 'stop_sequence'])
      expect(told({ stop_reason, content: [{ type: 'text', text: 'Done.' }] })).toEqual([
        SPOKE,
        { kind: 'turn-ended', how: 'done' },
      ])
  })

  it('that goes on ends nothing, also for a reason not known here', () => {
    for (const stop_reason of [null, undefined, 'tool_use', 'novel', 5, 'toString'])
      expect(told({ stop_reason, content: [{ type: 'thinking' }] })).toEqual([SPOKE])
  })

  it('of a subagent ends its task', () => {
    expect(told({ stop_reason: 'end_turn' }, {}, 'a1')).toEqual([
      { ...SPOKE, actor: 'a1' },
      { kind: 'task-ended', id: 'a1' },
    ])
  })

  it('[X7] that quotes an interrupt is none', () => {
    for (const text of [
      '[Request interrupted by user]',
      '[Request interrupted by user for tool use]',
    ])
      expect(told({ stop_reason: null, content: [{ type: 'text', text }] })).toEqual([SPOKE])
  })

  it('[X10] that no model said is filler', () => {
    const content = [{ type: 'text', text: 'No response requested.' }]
    expect(told({ model: '<synthetic>', stop_reason: 'stop_sequence', content })).toEqual([])
  })

  it('[X1] that is none says only that the agent spoke', () => {
    for (const message of [undefined, null, 'text', 5, [], { content: 'text' }, { content: [5] }])
      expect(told(message)).toEqual([SPOKE])
  })
})

describe('a call', () => {
  it('starts a tool', () => {
    const content = [call('Bash', { command: 'ls' }), call('Read', {}, 'tool-2')]
    expect(told({ stop_reason: 'tool_use', content }, {}, 'a1')).toEqual([
      { ...SPOKE, actor: 'a1' },
      {
        kind: 'tool-started',
        id: 'tool-1',
        name: 'Bash',
        input: '',
        quiet: false,
        label: 'ls',
        actor: 'a1',
      },
      { kind: 'tool-started', id: 'tool-2', name: 'Read', input: '', quiet: true, actor: 'a1' },
    ])
  })

  it.each([
    ['ExitPlanMode', 'plan', { plan: 'Build it.' }, 'Build it.'],
    ['AskUserQuestion', 'question', { questions: [{ question: 'Red?' }] }, 'Red?'],
  ])('[W1] of %s waits for a %s from its start on', (name, kind, input, text) => {
    const [, ...calls] = told({ stop_reason: 'tool_use', content: [call(name, input)] })
    expect(calls).toEqual([
      { kind: 'tool-started', id: 'tool-1', name, input: '', quiet: true, label: text },
      { kind: 'request-opened', for: kind, tool: name, input: '', id: 'tool-1', text },
    ])
  })

  it('[W1] of any other tool waits for nothing by itself', () => {
    for (const name of ['Bash', 'Write', 'mcp__x__ask'])
      expect(told({ content: [call(name)] }).map(({ kind }) => kind)).toEqual([
        'spoke',
        'tool-started',
      ])
  })

  it('[X1] without id or name is none', () => {
    const content = [call(5), call('Bash', {}, null), call(''), { type: 'tool_use' }]
    expect(told({ content })).toEqual([SPOKE])
  })
})

describe('an API error', () => {
  const message = { model: '<synthetic>', stop_reason: 'stop_sequence' }

  it('[E1] fails the turn, with its cause as it was said', () => {
    for (const error of ['server_error', 'unknown', 'solar_flare'])
      expect(told(message, { isApiErrorMessage: true, error })).toEqual([
        { kind: 'turn-failed', cause: error },
      ])
    expect(told(message, { isApiErrorMessage: true, error: 500 })).toEqual([
      { kind: 'turn-failed', cause: 'unknown' },
    ])
  })

  it("[B2] of a subagent does not fail the main agent's turn", () => {
    const error = { isApiErrorMessage: true, error: 'server_error' }
    expect(told(message, error, 'a1')).toEqual([])
  })

  it('[SC17] is what the client marks as one, never words in an answer', () => {
    const content = [{ type: 'text', text: 'API Error: 500 overloaded' }]
    expect(told({ stop_reason: 'end_turn', content }, { isApiErrorMessage: false })).toEqual([
      SPOKE,
      { kind: 'turn-ended', how: 'done' },
    ])
  })
})
