import { expect, it } from 'vitest'
import { jumpCommand } from './jump-command.ts'

it.each([
  ['2e74f1fc-e27b-4416-a6e2-41d6315ba424', 'vigil jump 2e74f1fc'],
  ['process:4711', 'vigil jump process:4711'],
  ['pane:%0', 'vigil jump pane:%0'],
])('[PG29] %s is shown by %s', (id, command) => {
  expect(jumpCommand(id)).toBe(command)
})

it.each(['a;reboot', 'a b', '$(x)', 'a\nb', '-h', '`x`', "a'b", 'a&b', '', 'a\u202eb'])(
  '[PG29] for %j there is no command to copy',
  (id) => {
    expect(jumpCommand(id)).toBeNull()
  },
)
