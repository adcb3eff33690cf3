import { expect, it } from 'vitest'
import type { Report, Source } from '../core/signal.ts'
import { folderName } from './claude/folder.ts'
import { roleOf } from './claude/role.ts'
import { keystrokeReader, processReader, titleReader } from './observed.ts'

const parts = { id: 'claude', recognise: roleOf, folderOf: folderName }
const process = processReader(parts)
const keys = keystrokeReader(parts)
const seen = (source: Source, fields: object): Report => ({ t: 1, source, ...fields })

it('a process lives or does not', () => {
  const told = (alive: boolean) => process.read(seen('process', { pid: 7, alive }))
  expect(told(true)).toEqual([{ kind: 'process', alive: true, ours: true }])
  expect(told(false)).toEqual([{ kind: 'process', alive: false, ours: true }])
})

it('[S28] a client has the pane it was started in, and no other process gives it one', () => {
  const place = { pid: 7, alive: true, tmux: '/tmp/t', tmuxPane: '%7' }
  const told = (command?: string) =>
    process.read(seen('process', { ...place, ...(command && { command }) }))
  const details = { kind: 'details', details: { pane: '%7', tmux: '/tmp/t' } }
  expect(told('claude')).toContainEqual(details)
  for (const other of ['vim notes', undefined]) expect(told(other)).not.toContainEqual(details)
})

it('[C3] a pid in the hands of another program is not ours', () => {
  const [told] = process.read(seen('process', { pid: 7, alive: true, command: 'vim notes' }))
  expect(told).toEqual({ kind: 'process', alive: true, ours: false })
})

it('[X1] without a pid or a word on its life it says nothing', () => {
  for (const fields of [
    { alive: true },
    { pid: '7', alive: true },
    { pid: 7 },
    { pid: 7, alive: 1 },
  ])
    expect(process.read(seen('process', fields))).toEqual([])
})

it('is pid and start, and the folder of the client', () => {
  const found = { pid: 7, start: '100', cwd: '/home/ada' }
  for (const command of ['claude', 'claude --resume x', '/opt/bin/claude', 'node /x/claude-code/c'])
    expect(process.about(seen('process', { ...found, command }))).toEqual({
      agent: 'claude',
      pid: 7,
      start: '100',
      folder: '-home-ada',
    })
})

it('another program in the same folder extends no session there', () => {
  for (const command of ['bash', 'vim claude.md', 'claudette', 'claude-monitor', undefined, 5])
    expect(process.about(seen('process', { pid: 7, cwd: '/home/ada', command }))).toEqual({
      agent: 'claude',
      pid: 7,
    })
})

it('[SC16] a key says that the user types, Enter too', () => {
  for (const key of ['Enter', 'Escape', 'a', '1'])
    expect(keys.read(seen('keystroke', { key }))).toEqual([{ kind: 'typed' }])
})

it('a look is a look', () => {
  expect(keys.read(seen('keystroke', { what: 'look' }))).toEqual([{ kind: 'looked' }])
})

it('names session or pane', () => {
  const about = { agent: 'claude', session: 's', pane: '%1' }
  expect(keys.about(seen('keystroke', { session: 's', pane: '%1' }))).toEqual(about)
  expect(keys.about(seen('keystroke', { pane: 5 }))).toEqual({ agent: 'claude' })
})

it('[X14] a title with a word of the agent is its own word, any other says nothing', () => {
  const reading = { status: 'working', said: 'cooking' } as const
  const titles = titleReader('cook', (title) => (title === 'cooking' ? reading : undefined))
  const pane = { pid: 7, pane: '/s:%1', tmux: '/s', tmuxPane: '%1' }
  const report = seen('title', { ...pane, title: 'cooking' })
  expect(titles.about(report)).toEqual({ agent: 'cook', pid: 7, pane: '/s:%1' })
  expect(titles.read(report)).toEqual([
    { kind: 'self-report', ...reading },
    { kind: 'details', details: { pane: '%1', tmux: '/s' } },
  ])
  for (const title of ['bash', '', 7, undefined])
    expect(titles.read({ ...report, title })).toEqual([])
})
