import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSpool, spoolName } from './spool-parse.ts'

const text = (header: readonly string[], payload: string) =>
  ['vigil 1', ...header, '', payload, '.', ''].join('\n')

describe('a complete file', () => {
  it('[S1] of a hook becomes a report with what is known of its surroundings', () => {
    const header = [
      'ppid=4700',
      'claudePid=4701',
      'tmux=/tmp/tmux-1000/default,123,0',
      'tmuxPane=%3',
      'tty=/dev/pts/3',
      'terminal=iTerm.app',
      'configDir=/home/ada/a=b',
    ]
    expect(parseSpool('hook.4711', text(header, '{"a":[1]}'), 5)).toEqual({
      t: 5,
      source: 'hook',
      env: {
        ppid: 4700,
        claudePid: 4701,
        tmux: '/tmp/tmux-1000/default,123,0',
        tmuxPane: '%3',
        tty: '/dev/pts/3',
        terminal: 'iTerm.app',
        configDir: '/home/ada/a=b',
      },
      payload: { a: [1] },
    })
  })

  it('[S1] keeps out what is empty, unknown, too long or no number', () => {
    const header = ['ppid=x', 'claudePid=', 'tty=', 'TOKEN=secret', `tmux=${'x'.repeat(5000)}`, '=']
    expect(parseSpool('hook.1.2', text(header, '{}'), 5)).toMatchObject({ env: {} })
    expect(parseSpool('hook.1', text([], '{}'), 5)).toEqual({
      t: 5,
      source: 'hook',
      env: {},
      payload: {},
    })
  })

  it('[S1] names its agent, and has the variables of that agent alone', () => {
    const header = ['agent=copilot', 'ppid=7', 'claudePid=8']
    const report = parseSpool('hook.1', text(header, '{}'), 5)
    expect(report).toEqual({
      t: 5,
      source: 'hook',
      agent: 'copilot',
      env: { ppid: 7 },
      payload: {},
    })
    const status = parseSpool('statusline.1', text(['agent=claude'], '{}'), 5)
    expect(status).toEqual({ t: 5, source: 'statusline', agent: 'claude', payload: {} })
  })

  it('of a status line carries its payload alone', () => {
    expect(parseSpool('statusline.9', text(['ppid=1'], '{"model":{}}\n'), 5)).toEqual({
      t: 5,
      source: 'statusline',
      payload: { model: {} },
    })
  })

  it('[S6][SH1] keeps a `__proto__` key under another name, where it can be shown', () => {
    const payload = '{"a":{"__proto__":{"x":1},"[__proto__]":2},"\\u005f_proto__":{"y":1}}'
    const report = parseSpool('hook.1', text([], payload), 5)
    const kept = '"payload":{"a":{"[__proto__]":2,"[[__proto__]]":{"x":1}},"[__proto__]":{"y":1}}'
    expect(JSON.stringify(report)).toContain(kept)
    expect(({} as { x?: number }).x).toBeUndefined()
  })
})

describe('what cannot be used', () => {
  const deep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`

  it.each([
    ['name', 'other.1', text([], '{}')],
    ['name', 'hook.0', text([], '{}')],
    ['name', 'hook.1\n', text([], '{}')],
    ['first line', 'hook.1', ''],
    ['first line', 'hook.1', '\0\u0001\u0002\n.\n'],
    ['first line', 'hook.1', 'vigil 2\n\n{}\n.\n'],
    ['header', 'hook.1', 'vigil 1\nppid=1\n.\n'],
    ['end', 'hook.1', 'vigil 1\n\n{}\n'],
    ['payload', 'hook.1', 'vigil 1\n\n.\n'],
    ['payload', 'hook.1', text([], '{"a":')],
    ['payload', 'hook.1', text([], '[1]')],
    ['payload', 'hook.1', text([], 'null')],
    ['payload', 'hook.1', text([], deep)],
  ])('[S6] is refused by its %s: %j', (what, name, content) => {
    const result = parseSpool(name, content, 5)
    expect(String((result as { rejected?: string }).rejected)).toMatch(new RegExp(`^${what}: exp`))
  })

  it('[S6] never throws, whatever it is', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (name, content) => {
        expect(parseSpool(name, content, 1)).toHaveProperty('rejected')
        const parsed = parseSpool('hook.1', `vigil 1\n${content}\n\n{}\n.\n`, 1)
        expect('rejected' in parsed || 'payload' in parsed).toBe(true)
      }),
    )
  })
})

it('a name tells the kind and the writer', () => {
  expect(spoolName('hook.4711')).toEqual({ kind: 'hook', pid: 4711, n: 0 })
  expect(spoolName('statusline.4711.12')).toEqual({ kind: 'statusline', pid: 4711, n: 12 })
  expect(spoolName('hook.4711.1.2')).toBeUndefined()
})
