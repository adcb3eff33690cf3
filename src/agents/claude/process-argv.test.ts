import { expect, it } from 'vitest'
import { isClientArgv } from './process.ts'

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
  expect(isClientArgv(argv)).toBe(is)
})
