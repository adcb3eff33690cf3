import { describe, expect, it } from 'vitest'
import { codexCommandOf, codexRoleOf, resumedIn } from './role.ts'
import { translateCodex } from './translate.ts'

const NATIVE = '/opt/codex-linux-x64/vendor/bin/codex'

describe('the role of a process', () => {
  it.each([
    ['the terminal client', [NATIVE]],
    ['a client with a prompt', [NATIVE, 'fix the tests']],
    ['a client with options', ['codex', '-s', 'read-only', '-a', 'on-request']],
    ['a resumed client', [NATIVE, 'resume', '01a1e504-cd6b-75c1-a49f-da8fd235ddaf']],
    ['a client without the daemon', [NATIVE, '--no-daemon']],
    ['one run without a terminal', [NATIVE, 'exec', '--json', 'go']],
    ['a client with a feature that is called like a command', [NATIVE, '--enable', 'mcp', 'go']],
    ['the list of the daemon’s sessions', [NATIVE, 'agents']],
    ['a client whose model is called like a command', [NATIVE, '-m', 'mcp', 'go']],
  ])('[CX1] %s is a client', (_, argv) => {
    expect(codexRoleOf(argv)).toBe('client')
  })

  it.each([
    ['the shared daemon', [NATIVE, 'app-server', '--listen', 'unix://', '--managed-daemon']],
    ['its updater', [NATIVE, 'app-server', 'daemon', 'pid-update-loop']],
    ['the daemon with options before its name', [NATIVE, '-c', 'x=1', 'app-server']],
    ['the daemon with a feature before its name', [NATIVE, '--enable', 'x', 'app-server']],
    ['a question for its version', [NATIVE, '--version']],
    ['the sandbox of a command', ['/tmp/arg0/codex-linux-sandbox', '--command-cwd', '/p']],
    ['the host of its tools', ['/rel/bin/codex-code-mode-host']],
  ])('[CX1] %s is a helper', (_, argv) => {
    expect(codexRoleOf(argv)).toBe('helper')
  })

  it('[CX1] the start script of npm is a wrapper, and another program is nothing', () => {
    expect(codexRoleOf(['node', '/opt/npm/node_modules/.bin/codex'])).toBe('wrapper')
    expect(codexRoleOf(['vim', 'codex'])).toBeUndefined()
    expect(codexRoleOf([])).toBeUndefined()
  })
})

describe('what a client resumes', () => {
  const id = '01a1e504-cd6b-75c1-a49f-da8fd235ddaf'

  it('[CX2] is the thread that its arguments name, or one that they do not', () => {
    expect(resumedIn([NATIVE, 'resume', id])).toEqual({ session: id })
    expect(resumedIn([NATIVE, 'exec', 'resume', id, 'go on'])).toEqual({ session: id })
    expect(resumedIn([NATIVE, 'exec', '-o', 'out', 'resume', id])).toEqual({ session: id })
    for (const words of [['resume', '--last'], ['agents'], ['--add-dir', '/x', 'resume']])
      expect(resumedIn([NATIVE, ...words])).toEqual({})
  })

  it('[CX2] is all that is stored of its arguments, with the kind of client', () => {
    const stored = (...words: string[]) => codexCommandOf([NATIVE, ...words])
    expect(stored('fix the bug')).toBe('codex')
    expect(stored('-m', 'gpt', 'resume', id, 'a secret')).toBe(`codex resume ${id}`)
    expect(stored('resume')).toBe('codex resume')
    expect(stored('--no-daemon', 'resume the work')).toBe('codex --no-daemon')
    expect(stored('exec', '--json', 'a secret')).toBe('codex exec')
    expect(stored('exec', 'resume', id, 'a secret')).toBe(`codex exec resume ${id}`)
  })

  it('[CX31] exec works from the start of its process on', () => {
    const started = (command: string) =>
      translateCodex({ t: 1, source: 'process', pid: 7, alive: true, command, cwd: '/p' })
    const kinds = (command: string) => started(command).map(({ kind }) => kind)
    expect(kinds('codex exec')).toContain('turn-started')
    expect(kinds('codex review')).toContain('turn-started')
    expect(kinds('codex --add-dir /x exec')).toContain('turn-started')
    expect(kinds('codex')).not.toContain('turn-started')
    expect(kinds('codex resume exec')).not.toContain('turn-started')
  })

  it('[CX2] is nothing where they begin a new one', () => {
    expect(resumedIn([NATIVE])).toBeUndefined()
    expect(resumedIn([NATIVE, id])).toBeUndefined()
  })
})
