import { describe, expect, it } from 'vitest'
import type { RecordedLine } from '../truth-reader.ts'
import { truthReader } from './truth.ts'

const { truthOf } = truthReader

const PID = 4711

function registry(t: number, status: string, waitingFor?: string, pid = PID): RecordedLine {
  return { t, source: 'registry', pid, file: { status, ...(waitingFor && { waitingFor }) } }
}

function gone(t: number, pid = PID): RecordedLine {
  return { t, source: 'registry', pid, file: null }
}

function death(t: number, pid = PID): RecordedLine {
  return { t, source: 'process', pid, alive: false }
}

function hook(t: number, event: string, tool?: string): RecordedLine {
  return { t, source: 'hook', payload: { hook_event_name: event, tool_name: tool } }
}

describe('the registry decides', () => {
  it('says working, waiting and idle in the words of the client', () => {
    const lines = [
      registry(100, 'idle'),
      registry(200, 'busy'),
      registry(300, 'waiting', 'permission prompt'),
      registry(400, 'shell'),
      registry(500, 'idle'),
    ]
    expect(truthOf(lines)).toEqual([
      { t: 100, state: 'idle' },
      { t: 200, state: 'working' },
      { t: 300, state: 'waiting', for: 'permission' },
      { t: 400, state: 'working' },
      { t: 500, state: 'idle' },
    ])
  })

  it('says a state once, at the moment it began', () => {
    const lines = [registry(100, 'busy'), registry(200, 'shell'), registry(300, 'busy')]
    expect(truthOf(lines)).toEqual([{ t: 100, state: 'working' }])
  })

  it('says nothing without a status, with one of no meaning, or of other sources alone', () => {
    expect(truthOf([])).toEqual([])
    expect(truthOf([{ t: 1, source: 'registry', pid: PID, file: {} }])).toEqual([])
    expect(truthOf([registry(1, 'dreaming')])).toEqual([])
    expect(truthOf([hook(1, 'UserPromptSubmit'), hook(2, 'Stop'), death(3)])).toEqual([])
  })
})

describe('what is waited for', () => {
  const kindOf = (tool: string | undefined, waitingFor: string | undefined) => {
    const asked = tool === undefined ? [] : [hook(1, 'PermissionRequest', tool)]
    return truthOf([...asked, registry(2, 'waiting', waitingFor)])[0]?.for
  }

  it.each([
    ['Bash', 'permission prompt', 'permission'],
    ['ExitPlanMode', 'permission prompt', 'plan'],
    ['AskUserQuestion', 'input needed', 'question'],
    [undefined, 'input needed', 'question'],
    [undefined, 'dialog open', 'dialog'],
    ['Bash', 'dialog open', 'dialog'],
    [undefined, undefined, 'permission'],
  ])('asked by %s, said "%s": %s', (tool, said, kind) => {
    expect(kindOf(tool, said)).toBe(kind)
  })

  it('is another stretch when it changes without work between', () => {
    const lines = [
      hook(1, 'PermissionRequest', 'Bash'),
      registry(2, 'waiting', 'permission prompt'),
      hook(3, 'PermissionRequest', 'AskUserQuestion'),
      registry(4, 'waiting', 'input needed'),
    ]
    expect(truthOf(lines).map((truth) => truth.for)).toEqual(['permission', 'question'])
  })

  it.each([
    ['ExitPlanMode', 'plan'],
    ['AskUserQuestion', 'question'],
  ])('comes from the hook of %s, also one written after the client’s file', (tool, kind) => {
    const lines = [registry(1, 'waiting', 'permission prompt'), hook(2, 'PermissionRequest', tool)]
    expect(truthOf(lines)).toEqual([{ t: 1, state: 'waiting', for: kind }])
  })

  it('is not what was asked before: that was answered', () => {
    const lines = [
      hook(1, 'PermissionRequest', 'ExitPlanMode'),
      registry(2, 'waiting', 'permission prompt'),
      registry(3, 'busy'),
      registry(4, 'waiting', 'dialog open'),
    ]
    expect(truthOf(lines).at(-1)).toEqual({ t: 4, state: 'waiting', for: 'dialog' })
  })
})

describe('the end of the process', () => {
  it('closes when the registry file goes', () => {
    expect(truthOf([registry(1, 'busy'), gone(2)]).at(-1)).toEqual({ t: 2, state: 'closed' })
  })

  it('closes when the process dies, though the file stays', () => {
    expect(truthOf([registry(1, 'busy'), death(2)]).at(-1)).toEqual({ t: 2, state: 'closed' })
  })

  it('closes once', () => {
    expect(truthOf([registry(1, 'idle'), gone(2), death(3)])).toHaveLength(2)
  })

  it('means nothing when it is the end of another process', () => {
    const lines = [registry(1, 'idle'), gone(2, 99), death(3, 99)]
    expect(truthOf(lines)).toEqual([{ t: 1, state: 'idle' }])
  })

  it('is over when another process goes on (resume)', () => {
    const lines = [registry(1, 'idle'), death(2), registry(3, 'idle', undefined, 99)]
    expect(truthOf(lines).map(({ state }) => state)).toEqual(['idle', 'closed', 'idle'])
  })

  it('is the end of the process that spoke last', () => {
    const lines = [registry(1, 'idle'), registry(2, 'busy', undefined, 99), death(3)]
    expect(truthOf(lines).at(-1)?.state).toBe('working')
  })
})

describe('a turn that died', () => {
  it('makes the idle after it an error', () => {
    const lines = [registry(1, 'busy'), hook(2, 'StopFailure'), registry(3, 'idle')]
    expect(truthOf(lines)).toEqual([
      { t: 1, state: 'working' },
      { t: 3, state: 'error' },
    ])
  })

  it('makes an idle that was reported sooner an error', () => {
    const lines = [registry(1, 'busy'), registry(2, 'idle'), hook(3, 'StopFailure')]
    expect(truthOf(lines).at(-1)).toEqual({ t: 3, state: 'error' })
  })

  it('is forgotten with the next prompt', () => {
    const lines = [
      registry(1, 'busy'),
      hook(2, 'StopFailure'),
      registry(3, 'idle'),
      hook(4, 'UserPromptSubmit'),
      registry(5, 'busy'),
      registry(6, 'idle'),
    ]
    expect(truthOf(lines).map(({ state }) => state)).toEqual([
      'working',
      'error',
      'working',
      'idle',
    ])
  })

  it('is not what an ordinary Stop means', () => {
    const lines = [registry(1, 'busy'), hook(2, 'Stop'), registry(3, 'idle')]
    expect(truthOf(lines).at(-1)?.state).toBe('idle')
  })
})
