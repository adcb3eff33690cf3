import { describe, expect, it } from 'vitest'
import { ALWAYS_IDLE } from '../../lab/peers/always-idle.ts'
import { livesOf } from '../../lab/peers/lines.ts'
import { NOTIFY_TMUX, NOTIFY_TMUX_WIRED } from '../../lab/peers/notify-tmux.ts'
import { PLATE_SPINNER } from '../../lab/peers/plate-spinner.ts'
import { at, prompt, saidBy, tool } from './support.ts'

it('always idle says so once, whatever happens', () => {
  const lines = [at.start(), at.hook(1000, 'UserPromptSubmit'), at.process(2000, false)]
  expect(saidBy(ALWAYS_IDLE, lines)).toEqual(['0 idle'])
})

describe('plate-spinner', () => {
  const begun = [at.start(), at.hook(1000, 'SessionStart')]
  const asking = [...begun, at.hook(2000, 'PreToolUse', { tool_name: 'AskUserQuestion' })]

  it('runs from the start on, until a Stop', () => {
    expect(saidBy(PLATE_SPINNER, [...begun, at.hook(4000, 'Stop')])).toEqual([
      '1000 working',
      '4000 idle',
    ])
  })

  it.each(['AskUserQuestion', 'ExitPlanMode'])('waits in %s until its end', (tool_name) => {
    const lines = [
      ...begun,
      at.hook(2000, 'PreToolUse', { tool_name }),
      at.hook(3000, 'PostToolUse', { tool_name }),
    ]
    expect(saidBy(PLATE_SPINNER, lines)).toEqual(['1000 working', '2000 waiting', '3000 working'])
  })

  it('has no hook for permissions and failures', () => {
    const lines = [...begun, at.hook(2000, 'PermissionRequest'), at.hook(3000, 'StopFailure')]
    expect(saidBy(PLATE_SPINNER, lines)).toEqual(['1000 working'])
  })

  it('heals what waits at the next check when the transcript has gone on by over 2 s', () => {
    const healed = [...asking, at.entry(5000, prompt('no'))]
    expect(saidBy(PLATE_SPINNER, healed).at(-1)).toBe('10000 idle')
    const tooSoon = [...asking, at.entry(4900, prompt('no'))]
    expect(saidBy(PLATE_SPINNER, tooSoon).at(-1)).toBe('2000 waiting')
  })

  it('does not heal what runs', () => {
    expect(saidBy(PLATE_SPINNER, [...begun, at.entry(5000, prompt('no'))])).toEqual([
      '1000 working',
    ])
  })

  it('learns of the end of its child, and sees a client that comes back', () => {
    const lines = [
      ...[at.process(500, true), ...begun, at.process(3000, false)],
      ...[at.process(5000, true, 8), at.hook(5100, 'SessionStart')],
    ]
    expect(saidBy(PLATE_SPINNER, lines)).toEqual(['1000 working', '3000 closed', '5100 working'])
  })

  it('does not take a late word of a client that is gone for a new one', () => {
    const lines = [
      ...[at.process(500, true), ...begun, at.process(3000, false)],
      ...[at.process(5000, true, 8), at.process(5100, true), at.process(6000, false, 8)],
    ]
    expect(saidBy(PLATE_SPINNER, lines)).toEqual(['1000 working', '3000 closed'])
    const lives = livesOf(lines).map(({ alive }) => alive)
    expect(lives).toEqual([true, false, true, false])
  })

  it('has a plate for each session: a late word of the one before changes nothing', () => {
    const lines = [
      ...begun,
      at.hook(2000, 'SessionStart', { session_id: 'next' }),
      at.hook(3000, 'Stop'),
    ]
    expect(saidBy(PLATE_SPINNER, lines)).toEqual(['1000 working'])
  })
})

describe('notify-tmux', () => {
  it('by its document changes nothing within a turn, and never sees an end', () => {
    const lines = [
      at.start(),
      at.hook(1000, 'UserPromptSubmit'),
      at.entry(1500, tool('Bash')),
      at.hook(2000, 'PermissionRequest'),
      at.hook(3000, 'Stop'),
      at.hook(4000, 'SessionEnd'),
    ]
    expect(saidBy(NOTIFY_TMUX, lines)).toEqual(['0 idle'])
  })

  it.each(['Task', 'Agent'])('works from a Stop after %s to the next Stop', (name) => {
    const lines = [
      at.start(),
      ...[at.entry(1000, prompt('go')), at.entry(1500, tool(name)), at.hook(2000, 'Stop')],
      ...[at.entry(8000, prompt('<task-notification>')), at.hook(9000, 'Stop')],
    ]
    expect(saidBy(NOTIFY_TMUX, lines)).toEqual(['0 idle', '2000 working', '9000 idle'])
  })

  it('as it is wired sees tools, questions and ends', () => {
    const lines = [
      at.hook(0, 'SessionStart'),
      at.hook(1000, 'UserPromptSubmit'),
      at.hook(2000, 'PreToolUse', { tool_name: 'Bash' }),
      at.hook(2100, 'PermissionRequest'),
      at.hook(3000, 'PreToolUse', { tool_name: 'Bash' }),
      at.hook(4000, 'PreToolUse', { tool_name: 'AskUserQuestion' }),
      at.hook(5000, 'Stop'),
      at.hook(6000, 'SessionEnd', { reason: 'clear' }),
      at.hook(7000, 'SessionEnd', { reason: 'other' }),
    ]
    expect(saidBy(NOTIFY_TMUX_WIRED, lines)).toEqual([
      ...['0 idle', '2000 working', '2100 waiting', '3000 working'],
      ...['4000 waiting', '5000 idle', '7000 closed'],
    ])
  })
})
