import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Report } from '../../core/signal.ts'
import { fromUser } from './transcript-user.ts'
import { translateClaude } from './translate.ts'

const PLAIN = '[Request interrupted by user]'
const TOOL = '[Request interrupted by user for tool use]'
const BOTH = [PLAIN, TOOL]

const block = (text: unknown) => ({ type: 'text', text })
const result = (content: unknown) => ({ type: 'tool_result', tool_use_id: 'tool-1', content })

const told = (content: unknown, fields: object = {}, actor?: string) =>
  fromUser({ type: 'user', message: { role: 'user', content }, ...fields }, actor)
const kinds = (content: unknown, fields: object = {}) =>
  told(content, fields).map(({ kind }) => kind)

describe('an interrupt', () => {
  it('[X7] is exactly one of two sentences as the only block', () => {
    for (const sentence of BOTH) {
      expect(told([block(sentence)])).toEqual([{ kind: 'turn-interrupted' }])
      expect(told([block(sentence)], { promptId: 'p1', interruptedMessageId: 'm1' })).toEqual([
        { kind: 'turn-interrupted', turn: 'p1' },
      ])
    }
  })

  it("[X7] in a subagent's file ends the subagent", () => {
    for (const sentence of BOTH)
      expect(told([block(sentence)], {}, 'a1')).toEqual([{ kind: 'task-ended', id: 'a1' }])
  })

  it('[X7] quoted in a tool result is none', () => {
    for (const sentence of BOTH) {
      expect(told([result(sentence)])).toEqual([{ kind: 'tool-ended', id: 'tool-1' }])
      expect(told([result([block(sentence)])])).toEqual([{ kind: 'tool-ended', id: 'tool-1' }])
      expect(kinds([result(sentence)], { toolUseResult: sentence })).toEqual(['tool-ended'])
    }
  })

  it('[X7] quoted in a prompt is none', () => {
    for (const sentence of BOTH)
      for (const typed of [`what is ${sentence}?`, `${sentence} `, ` ${sentence}`, `> ${sentence}`])
        for (const content of [typed, [block(typed)]])
          expect(told(content)).toEqual([{ kind: 'turn-started', by: 'user' }])
  })

  it('[X7] typed as a prompt of its own is none: a prompt is no block', () => {
    for (const sentence of BOTH) expect(kinds(sentence)).toEqual(['turn-started'])
  })

  it('[X7] beside a second block is none', () => {
    for (const sentence of BOTH)
      for (const more of [block('x'), block(sentence), { type: 'image' }, result('x'), null])
        for (const content of [
          [block(sentence), more],
          [more, block(sentence)],
        ])
          expect(kinds(content)).not.toContain('turn-interrupted')
  })

  it('[X7] in other words is none, unless the client marks it as one', () => {
    for (const text of ['[Request interrupted]', PLAIN.toLowerCase(), '', 5, null]) {
      expect(kinds([block(text)])).not.toContain('turn-interrupted')
      expect(kinds([block(text)], { interruptedMessageId: 'msg_1' })).toContain('turn-interrupted')
    }
  })

  it('[X7] is found in the recordings where Esc was pressed, not where it was quoted', () => {
    expect(interruptsIn('quote')).toBe(0)
    expect(interruptsIn('esc_tool')).toBe(1)
    expect(interruptsIn('esc_stream')).toBe(1)
    expect(interruptsIn('bash_reject')).toBe(1)
  })
})

function interruptsIn(name: string): number {
  const path = new URL(`../../../test/recordings/${name}.jsonl`, import.meta.url)
  const reports = readFileSync(path, 'utf8').trim().split('\n')
  const signals = reports.flatMap((line) => translateClaude(JSON.parse(line) as Report))
  return signals.filter(({ kind }) => kind === 'turn-interrupted').length
}

describe("an entry in its user's place", () => {
  const none = (content: unknown, fields: object = {}) => expect(told(content, fields)).toEqual([])

  it('[X10] that is meta starts no turn', () => {
    for (const text of ['<system-reminder>…', 'Continue.'])
      for (const content of [text, [block(text)]]) none(content, { isMeta: true })
  })

  it('[T7] behind a command of the client’s own ends a compaction that was interrupted', () => {
    const caveat = told('<local-command-caveat>…', { isMeta: true })
    expect(caveat).toEqual([{ kind: 'compaction', open: false }])
    none('<local-command-caveat>…')
  })

  it('[X10] that is meta interrupts no turn', () => {
    for (const sentence of BOTH) none([block(sentence)], { isMeta: true })
  })

  it('[X10] that echoes a command starts no turn', () => {
    for (const echo of [
      '<command-name>/compact</command-name>',
      '<command-message>x</command-message>',
      '<local-command-stdout>…',
      '<bash-stdout>hi</bash-stdout>',
      '<bash-stderr></bash-stderr>',
    ])
      for (const content of [echo, [block(echo)]]) none(content)
  })

  it('[X10] that sums up a compaction starts no turn', () => {
    for (const content of ['…', [block('…')], [block(PLAIN)]])
      none(content, { isCompactSummary: true })
  })

  it("[X10] that the client's own shutdown wrote interrupts no turn", () => {
    for (const content of [[block(PLAIN)], [block(TOOL)], [result('…')]])
      none(content, { interruptedByShutdown: true, interruptedMessageId: 'm1' })
  })

  it('[X10] only a mark that is set counts', () => {
    for (const mark of ['isMeta', 'isCompactSummary', 'interruptedByShutdown'])
      for (const value of [false, null, 'true', 1])
        expect(kinds('do it', { [mark]: value })).toEqual(['turn-started'])
  })
})

describe('a prompt', () => {
  it('starts a turn under its own id, also beside a picture', () => {
    const started = { kind: 'turn-started', by: 'user', turn: 'p1' }
    expect(told('do it', { promptId: 'p1' })).toEqual([started])
    expect(told([{ type: 'image' }, block('do it')], { promptId: 'p1' })).toEqual([started])
  })

  it('with ! is a turn of its user', () => {
    expect(told('<bash-input>ls</bash-input>')).toEqual([{ kind: 'turn-started', by: 'user' }])
  })

  it("of a task's end starts a turn that the user did not type", () => {
    const notice = '<task-notification>\n<task-id>a1</task-id>'
    expect(told(notice)).toEqual([
      { kind: 'turn-started', by: 'task' },
      { kind: 'task-ended', id: 'a1' },
    ])
  })

  it('of a hook that blocked the Stop starts a turn of that hook', () => {
    const feedback = 'Stop hook feedback:\ngo on'
    expect(told(feedback, { isMeta: true })).toEqual([{ kind: 'turn-started', by: 'hook' }])
    // The same words typed are a prompt like any other.
    expect(told(feedback)).toEqual([{ kind: 'turn-started', by: 'user' }])
  })

  it('/clear opens a session', () => {
    const clear = '<command-name>/clear</command-name>'
    expect(told(clear)).toEqual([{ kind: 'opened', how: 'clear', continues: true }])
    expect(told('<command-name>/clearance</command-name>')).toEqual([])
  })

  it("of a subagent starts its task, the client's own notes do not", () => {
    const started = [{ kind: 'task-started', id: 'a1', what: 'subagent' }]
    expect(told('look around', {}, 'a1')).toEqual(started)
    expect(told('look around', { isMeta: true }, 'a1')).toEqual([])
  })
})

describe('an answer', () => {
  it('ends each tool it is for, under its actor', () => {
    const content = [result('ok'), { ...result('ok'), tool_use_id: 'tool-2' }, block('note')]
    expect(told(content, {}, 'a1')).toEqual([
      { kind: 'tool-ended', id: 'tool-1', actor: 'a1' },
      { kind: 'tool-ended', id: 'tool-2', actor: 'a1' },
    ])
    expect(told([{ ...result('ok'), tool_use_id: 5 }])).toEqual([])
  })

  it('may start a task', () => {
    const toolUseResult = { status: 'async_launched', agentId: 'a1', description: 'probe' }
    expect(kinds([result('ok')], { toolUseResult })).toEqual(['tool-ended', 'task-started'])
  })
})

it('[X1] a message that is none says nothing', () => {
  for (const content of [undefined, null, 5, {}, []]) expect(told(content)).toEqual([])
})
