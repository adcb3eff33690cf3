import { describe, expect, it } from 'vitest'
import { roleOf } from './role.ts'

describe('[S12] command lines', () => {
  const said = (line: string) => roleOf(line.split(' ')) === 'client'

  it('[S12] of the client are known, however it was installed', () => {
    for (const line of [
      'claude',
      'claude --resume 0f',
      '/opt/bin/claude -p hi',
      '/lib/claude-code/bin/claude.exe --permission-mode default',
      'node /usr/local/bin/claude',
      '/usr/bin/node --no-warnings /lib/claude-code/cli.js --continue',
      'bun /lib/claude-code/cli.js',
    ])
      expect([line, said(line)]).toEqual([line, true])
    // A client that sets its process title leaves the rest of its argument list empty.
    expect(roleOf(['claude', '', '', ''])).toBe('client')
  })

  it('[S12] of errands, helpers, wrappers and others are not the client’s', () => {
    for (const line of [
      'grep claude',
      'vim claude',
      '/bin/sh /usr/local/bin/claude',
      'bash -c claude',
      'timeout 5 claude',
      'claude daemon run',
      'claude mcp serve',
      'claude --bg-pty-host x',
      'claude --chrome-native-host',
      'claude doctor',
      'claudette',
      'claude-monitor',
      'node /lib/claude-code/cli-wrapper.cjs',
      'node /lib/vigil.js run -- claude',
      '/Applications/Claude.app/Contents/MacOS/Claude',
      '',
    ])
      expect([line, said(line)]).toEqual([line, false])
    expect(roleOf(['claude daemon'])).not.toBe('client')
    expect(roleOf([])).not.toBe('client')
    // A prompt is one argument: only the bare word is a subcommand.
    expect(roleOf(['claude', 'update the manual'])).toBe('client')
  })
})

it.each([
  [['claude'], true],
  [['/usr/local/bin/claude', '-p', 'x'], true],
  [['/home/me/.local/share/claude/versions/2.1.325'], true],
  [['/opt/x/@anthropic-ai/claude-code/bin/claude.exe'], true],
  [['node', '--no-warnings', '/x/node_modules/@anthropic-ai/claude-code/cli.js'], true],
  [['/bin/sh', '/usr/local/bin/claude'], true],
  [['tmux', 'new-session', '-c', '/home/me/claude'], false],
  [['vim', '/home/me/claude'], false],
  [['bash', '-l'], false],
  [['node', '/home/me/claude-code-notes.js'], false],
  [[''], false],
  [[], false],
])('[WD12] %j: the client by its program, not by a word among its arguments: %j', (argv, is) => {
  expect(roleOf(argv) !== undefined).toBe(is)
})
