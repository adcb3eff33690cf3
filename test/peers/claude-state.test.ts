import { describe, expect, it } from 'vitest'
import { CLAUDE_STATE } from '../../lab/peers/claude-state.ts'
import { CLAUDE_STATE_LATER } from '../../lab/peers/claude-state-later.ts'
import { at, INTERRUPTED, prompt, saidBy, tool } from './support.ts'

const working = [at.start(), at.hook(1000, 'UserPromptSubmit')]
const asked = [
  ...working,
  at.hook(2000, 'PreToolUse', { tool_use_id: 'a' }),
  at.hook(2100, 'PermissionRequest'),
]
const WAITING = ['0 idle', '1500 working', '2600 waiting']

describe.each([CLAUDE_STATE, CLAUDE_STATE_LATER])('$name', (peer) => {
  it('holds every event for 500 ms and looks every 50 ms', () => {
    const lines = [at.start(), at.hook(1010, 'UserPromptSubmit'), at.hook(3000, 'Stop')]
    expect(saidBy(peer, lines)).toEqual(['0 idle', '1550 working', '3500 idle'])
  })

  it('takes events in the order of their own times', () => {
    const lines = [...working, at.hook(3000, 'Stop'), at.entry(3300, tool('Bash'), 2990)]
    expect(saidBy(peer, lines)).toEqual(['0 idle', '1500 working', '3500 idle'])
  })

  it('waits until the tool that asked has ended, not another', () => {
    expect(saidBy(peer, asked)).toEqual(WAITING)
    const other = [...asked, at.hook(4000, 'PostToolUse', { tool_use_id: 'b' })]
    expect(saidBy(peer, other)).toEqual(WAITING)
    const own = [...asked, at.hook(4000, 'PostToolUse', { tool_use_id: 'a' })]
    expect(saidBy(peer, own)).toEqual([...WAITING, '4500 working'])
  })

  it('learns of Esc from the transcript', () => {
    expect(saidBy(peer, [...working, at.entry(2000, INTERRUPTED)]).at(-1)).toBe('2500 idle')
    const rejected = { type: 'user', message: { content: [] }, toolUseResult: 'User rejected it' }
    expect(saidBy(peer, [...asked, at.entry(4000, rejected)]).at(-1)).toBe('4500 idle')
  })

  it('passes over what the model has not heard', () => {
    const local = prompt('<local-command-stdout>x')
    const meta = { ...prompt('aside'), isMeta: true }
    expect(saidBy(peer, [at.start(), at.entry(1000, local), at.entry(1100, meta)])).toEqual([
      '0 idle',
    ])
    expect(saidBy(peer, [at.start(), at.entry(1000, prompt('go'))])).toEqual([
      '0 idle',
      '1500 working',
    ])
  })

  it('knows a client that leaves from one that only clears, and one that comes back', () => {
    const left = at.hook(2000, 'SessionEnd', { reason: 'other' })
    expect(saidBy(peer, [...working, left]).at(-1)).toBe('2500 closed')
    const back = at.hook(5000, 'SessionStart', { source: 'resume' })
    expect(saidBy(peer, [...working, left, back]).at(-1)).toBe('5500 idle')
    const cleared = at.hook(2000, 'SessionEnd', { reason: 'clear' })
    expect(saidBy(peer, [...working, cleared]).at(-1)).toBe('2500 idle')
  })

  it('has no rule for a death or a failed turn', () => {
    const lines = [...working, at.hook(2000, 'StopFailure'), at.process(3000, false)]
    expect(saidBy(peer, lines)).toEqual(['0 idle', '1500 working'])
  })
})

describe('claude-state as it was', () => {
  it('takes Enter for an answer at once, but not for a prompt', () => {
    expect(saidBy(CLAUDE_STATE, [...asked, at.key(4000, 'Enter')]).at(-1)).toBe('4000 working')
    expect(saidBy(CLAUDE_STATE, [at.start(), at.key(4000, 'Enter')])).toEqual(['0 idle'])
    expect(saidBy(CLAUDE_STATE, [...asked, at.key(4000, 'Escape')])).toEqual(WAITING)
  })

  it('is idle after a compaction', () => {
    const lines = [...working, at.hook(2000, 'SessionStart', { source: 'compact' })]
    expect(saidBy(CLAUDE_STATE, lines).at(-1)).toBe('2500 idle')
  })
})

describe('claude-state as it became', () => {
  const later = (...more: Parameters<typeof saidBy>[1]) => saidBy(CLAUDE_STATE_LATER, more)

  it('keeps waiting through other work, Enter and a compaction', () => {
    const noise = [
      at.hook(3000, 'PreToolUse', { tool_use_id: 'b' }),
      at.entry(3100, tool('Bash')),
      at.key(3200, 'Enter'),
      at.hook(3300, 'SessionStart', { source: 'compact' }),
    ]
    expect(later(...asked, ...noise)).toEqual(WAITING)
  })

  it('takes the result in the transcript for the answer', () => {
    const result = { type: 'tool_result', tool_use_id: 'a' }
    const entry = { type: 'user', message: { content: [result] } }
    expect(later(...asked, at.entry(4000, entry)).at(-1)).toBe('4500 working')
  })

  it('ignores the tools of subagents', () => {
    const lines = [at.start(), at.hook(1000, 'PreToolUse', { agent_id: 'x', tool_use_id: 'b' })]
    expect(later(...lines)).toEqual(['0 idle'])
  })

  it('drops what comes late, unless it ends a wait', () => {
    const late = at.entry(6000, tool('Bash'), 2000)
    expect(later(...working, at.hook(3000, 'Stop'), late).at(-1)).toBe('3500 idle')
  })

  const shell = { type: 'user', toolUseResult: { backgroundTaskId: 'b1' } }
  const done = '<task-notification>\n<task-id>b1</task-id>'

  it('shows background work until its end is reported', () => {
    const launched = [...working, at.entry(2000, shell), at.hook(3000, 'Stop')]
    expect(later(...launched).at(-1)).toBe('3500 background')
    const queued = at.entry(9000, { type: 'queue-operation', content: done })
    expect(later(...launched, queued).at(-1)).toBe('9500 idle')
    const agent = [
      ...working,
      at.hook(2000, 'SubagentStart', { agent_id: 'x' }),
      at.hook(3000, 'Stop'),
      at.hook(9000, 'SubagentStop', { agent_id: 'x' }),
    ]
    expect(later(...agent).slice(-2)).toEqual(['3500 background', '9500 idle'])
  })

  it('forgets background work with a typed prompt, not with the end of another task', () => {
    const launched = [...working, at.entry(2000, shell), at.hook(3000, 'Stop')]
    const typed = [at.hook(5000, 'UserPromptSubmit', { prompt: 'on' }), at.hook(6000, 'Stop')]
    expect(later(...launched, ...typed).at(-1)).toBe('6500 idle')
    const told = done.replace('b1', 'b2')
    const other = [at.hook(5000, 'UserPromptSubmit', { prompt: told }), at.hook(6000, 'Stop')]
    expect(later(...launched, ...other).at(-1)).toBe('6500 background')
  })
})
