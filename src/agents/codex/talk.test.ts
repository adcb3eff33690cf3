import { describe, expect, it } from 'vitest'
import type { Report } from '../../core/signal.ts'
import { rolloutTalk } from './talk.ts'
import { usageIn } from './usage.ts'

const THREAD = '01a1e504-cd6b-75c1-a49f-da8fd235ddaf'
const line = (payload: object, type = 'response_item') =>
  JSON.stringify({ timestamp: '2026-11-16T15:41:02.139Z', type, payload })
const says = (...texts: string[]) =>
  line({
    type: 'message',
    role: 'assistant',
    content: texts.map((text) => ({ type: 'output_text', text })),
  })
const asks = (name: string, given: object) =>
  line({ type: 'function_call', call_id: 'c', name, arguments: JSON.stringify(given) })

describe('the last words in a rollout', () => {
  it('[CX30] are the agent’s last three messages, oldest first', () => {
    const user = line({ type: 'message', role: 'user', content: [{ text: 'go' }] })
    const lines = [says('one'), says('two', 'three'), user, '{"torn', says(' four ')]
    expect(rolloutTalk(lines, undefined)).toEqual({ said: ['two', 'three', 'four'], call: null })
  })

  it('[CX30] the call is the newest of the request’s tool, by its name in hooks', () => {
    const command = { cmd: 'npm test', justification: 'May I?' }
    const lines = [asks('exec_command', { cmd: 'ls' }), asks('exec_command', command), says('x')]
    expect(rolloutTalk(lines, 'Bash').call).toEqual({ tool: 'Bash', input: command })
    expect(rolloutTalk(lines, 'apply_patch').call).toBeNull()
  })

  it('[CX30] a script’s call is found by what it calls', () => {
    const exec = (input: string) =>
      line({ type: 'custom_tool_call', call_id: 'c', name: 'exec', input })
    const script = exec('text(await tools.exec_command({"cmd":"npm test"}))')
    expect(rolloutTalk([script], 'Bash').call).toEqual({ tool: 'Bash', input: { cmd: 'npm test' } })
    const odd = 'tools.exec_command({cmd: name})'
    expect(rolloutTalk([exec(odd)], 'Bash').call).toEqual({ tool: 'Bash', input: { script: odd } })
  })
})

describe('tokens', () => {
  const FILE = `/h/sessions/2026/11/16/rollout-2026-11-16T15-40-59-${THREAD}.jsonl`
  const report = (info: unknown, path = FILE): Report => ({
    ...{ t: Date.parse('2026-11-16T15:41:03Z'), source: 'transcript', path },
    entry: JSON.parse(line({ type: 'token_count', info }, 'event_msg')),
  })
  const last = {
    ...{ input_tokens: 1000, cached_input_tokens: 600, cache_write_input_tokens: 100 },
    output_tokens: 20,
  }

  it('[CX29] are those of one request, without what was cached, under the thread’s total', () => {
    const info = { total_token_usage: { total_tokens: 2040 }, last_token_usage: last }
    expect(usageIn(report(info))).toEqual({
      ...{ message: `${THREAD} 2040`, t: Date.parse('2026-11-16T15:41:02.139Z') },
      ...{ input: 300, output: 20, cacheRead: 600, cacheWritten: 100 },
    })
  })

  it.each([
    [null],
    [{}],
    [{ total_token_usage: { total_tokens: 5 }, last_token_usage: {} }],
    [{ total_token_usage: { total_tokens: 'x' }, last_token_usage: last }],
    [{ last_token_usage: { input_tokens: -1, output_tokens: 1e12 } }],
  ])('[CX29] %j has none', (info) => {
    expect(usageIn(report(info))).toBeUndefined()
  })

  it('[CX29] of a file of another name count for no thread', () => {
    const info = { total_token_usage: { total_tokens: 2040 }, last_token_usage: last }
    expect(usageIn(report(info, '/h/x.jsonl'))).toBeUndefined()
  })
})
