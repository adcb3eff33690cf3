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

it('[FL91] of a session on another machine names the machine by its id', () => {
  const machine = `m${'c3'.repeat(12)}`
  expect(jumpCommand(`${machine}/payments`)).toBe(`vigil jump ${machine}/payments`)
  const id = '0190ab12-3456-7890-abcd-ef0123456789'
  expect(jumpCommand(`${machine}/${id}`)).toBe(`vigil jump ${machine}/0190ab12`)
  for (const key of [`${machine}/a b`, `${machine}/$(id)`, 'cloud/payments'])
    expect(jumpCommand(key)).toBeNull()
})
