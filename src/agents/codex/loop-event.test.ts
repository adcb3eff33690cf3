import { describe, expect, it } from 'vitest'
import type { Report } from '../../core/signal.ts'
import { codexLoop } from './loop-event.ts'

const { eventOf, goOn, lastMessageIn, isCapped } = codexLoop
const THREAD = '01a1e504-cd6b-75c1-a49f-da8fd235ddaf'

const hook = (payload: object, env: object = {}): Report => ({
  ...{ t: 1, source: 'hook', agent: 'codex', env },
  payload: { session_id: THREAD, ...payload },
})
const done = (item: object): Report => ({
  ...{ t: 1, source: 'transcript', agent: 'codex' },
  path: `/h/sessions/2026/11/18/rollout-2026-11-18T10-00-00-${THREAD}.jsonl`,
  entry: { type: 'event_msg', payload: { type: 'item_completed', item } },
})

describe('what a report of Codex means to a loop', () => {
  it('[CX50] a Stop with the whole last message, and whether its hook asks', () => {
    const message = 'x'.repeat(100_000)
    const stop = { hook_event_name: 'Stop', last_assistant_message: message, transcript_path: '/t' }
    expect(eventOf(hook(stop, { asks: 1 }))).toEqual({
      ...{ is: 'stop', session: THREAD, asks: true, off: false, message, transcript: '/t' },
    })
    expect(eventOf(hook(stop, { loopOff: 1 }))).toMatchObject({ asks: false, off: true })
  })

  it('[CX50] nothing of a subagent, though it names the same session', () => {
    const child = { hook_event_name: 'Stop', agent_id: 'a', last_assistant_message: 'Done.' }
    expect(eventOf(hook(child, { asks: 1 }))).toBeUndefined()
    expect(eventOf(hook({ hook_event_name: 'PreCompact', agent_id: 'a' }))).toBeUndefined()
  })

  it('[CX52] a compaction: what it loses is in the reason of the next Stop', () => {
    expect(eventOf(hook({ hook_event_name: 'PreCompact' }))?.is).toBe('compacting')
    expect(eventOf(hook({ hook_event_name: 'SessionStart', source: 'compact' }))).toBeUndefined()
  })

  it('[CX50] a call by the rollout: which, and whether it failed', () => {
    const command = ['/bin/bash', '-lc', 'npm test']
    const ran = { type: 'CommandExecution', command, status: 'completed', exit_code: 0 }
    const call = { is: 'tool', session: THREAD, call: 'Bash: npm test', changes: true }
    expect(eventOf(done(ran))).toEqual({ ...call, failed: false })
    for (const failing of [{ exit_code: 1 }, { status: 'failed' }])
      expect(eventOf(done({ ...ran, ...failing }))).toEqual({ ...call, failed: true })
    expect(eventOf(done({ ...ran, status: 'declined' }))).toBeUndefined()
    const patch = { type: 'FileChange', changes: { '/p/a': {}, '/p/b': {} }, status: 'completed' }
    expect(eventOf(done(patch))).toMatchObject({ call: 'apply_patch: /p/a, /p/b', failed: false })
    const asked = { type: 'McpToolCall', server: 's', tool: 't', status: 'failed' }
    expect(eventOf(done(asked))).toMatchObject({ call: 's: t', failed: true })
    expect(eventOf(done({ type: 'AgentMessage' }))).toBeUndefined()
  })

  it('[CX51] goes on by the hook’s output, as often as it is blocked', () => {
    expect(goOn('why')).toEqual({ output: { decision: 'block', reason: 'why' }, exit: 0 })
    expect(isCapped('0.166.0', undefined)).toBe(false)
  })

  it('[CX51] reads a signal as the client showed it to its model', () => {
    const said = (last_assistant_message: string) =>
      eventOf(hook({ hook_event_name: 'Stop', last_assistant_message }))
    expect(said('So.\n\n&lt;loop-done&gt;COMPLETE&lt;/loop-done&gt;')).toMatchObject({
      message: 'So.\n\n<loop-done>COMPLETE</loop-done>',
    })
    expect(said('1 &lt; 2 &gt; 0')).toMatchObject({ message: '1 &lt; 2 &gt; 0' })
  })

  it('[CX50] the last message of a rollout, where the hook has none', () => {
    const line = (role: string, ...texts: string[]) => {
      const content = texts.map((text) => ({ type: 'output_text', text }))
      return JSON.stringify({ type: 'response_item', payload: { type: 'message', role, content } })
    }
    const lines = [line('user', 'go'), line('assistant', 'One.'), line('assistant', 'Two', 'it.')]
    expect(lastMessageIn([...lines, '{"type":"event_msg"}', 'torn {'])).toBe('Two\nit.')
    expect(lastMessageIn([...lines, line('user', 'more')])).toBeUndefined()
    expect(lastMessageIn([])).toBeUndefined()
  })
})
