import { describe, expect, it } from 'vitest'
import { pendingIn } from './answer-log.ts'

const line = (type: string, content: unknown, more: object = {}) =>
  JSON.stringify({ type, message: { role: type, content }, ...more })
const call = (id: string, name = 'Bash', input: object = { command: id }) =>
  line('assistant', [{ type: 'tool_use', id, name, input }])
const result = (id: string) => line('user', [{ type: 'tool_result', tool_use_id: id }])
const prompt = line('user', 'go')
const ids = (...lines: string[]) => pendingIn(lines, 's').map(({ id }) => id)

describe('calls without a result', () => {
  it('[AN35] are those of the newest turn', () => {
    expect(ids(prompt, call('a'), call('b'), result('a'))).toEqual(['b'])
    expect(ids(prompt, call('a'), result('a'))).toEqual([])
    expect(ids(call('left'), prompt, call('a'))).toEqual(['a'])
    expect(ids(call('left'), line('user', [{ type: 'text', text: 'go' }]))).toEqual([])
  })

  it('[AN35] give the whole input of the call', () => {
    const input = { command: 'touch a', description: 'touch' }
    const asked = { session: 's', kind: 'permission', tool: 'Bash', actor: null, input, cut: false }
    expect(pendingIn([call('a', 'Bash', input)], 's')).toEqual([
      { id: 'a', asked: { ...asked, questions: [], plan: null, offers: [] } },
    ])
    const long = { command: 'x'.repeat(300_000) }
    expect(pendingIn([call('a', 'Bash', long)], 's')).toMatchObject([{ asked: { cut: true } }])
  })

  it('[AN35] are none of a subagent, nor any while one is at work', () => {
    expect(ids(call('a').replace('{', '{"isSidechain":true,'))).toEqual([])
    for (const delegate of ['Agent', 'Task'])
      expect(ids(call('a'), call('b', delegate))).toEqual([])
  })

  it('[AN35] are read from lines of any content', () => {
    const torn = call('a').slice(20)
    expect(ids('', torn, 'null', '7', '[]', line('assistant', 7), call('b'))).toEqual(['b'])
    const odd = [{ type: 'tool_use' }, null, { type: 'tool_result', tool_use_id: {} }]
    expect(pendingIn([line('assistant', odd)], 's')).toMatchObject([{ asked: { tool: 'unknown' } }])
  })
})
