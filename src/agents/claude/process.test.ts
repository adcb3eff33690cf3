import { expect, it } from 'vitest'
import { aboutProcess, fromProcess } from './process.ts'

const reportOf = (fields: object) => ({ t: 1, source: 'process' as const, ...fields })

it('a process lives or does not', () => {
  const told = (alive: boolean) => fromProcess(reportOf({ pid: 7, alive }))
  expect(told(true)).toEqual([{ kind: 'process', alive: true, ours: true }])
  expect(told(false)).toEqual([{ kind: 'process', alive: false, ours: true }])
})

it('[C3] a pid in the hands of another program is not ours', () => {
  const [told] = fromProcess(reportOf({ pid: 7, alive: true, command: 'vim notes' }))
  expect(told).toEqual({ kind: 'process', alive: true, ours: false })
})

it('[X1] without a pid or a word on its life it says nothing', () => {
  for (const fields of [
    { alive: true },
    { pid: '7', alive: true },
    { pid: 7 },
    { pid: 7, alive: 1 },
  ])
    expect(fromProcess(reportOf(fields))).toEqual([])
})

it('is pid and start, and the folder of the client', () => {
  const seen = { pid: 7, start: '100', cwd: '/home/ada' }
  for (const command of ['claude', 'claude --resume x', '/opt/bin/claude', 'node /x/claude-code/c'])
    expect(aboutProcess(reportOf({ ...seen, command }))).toEqual({
      agent: 'claude',
      pid: 7,
      start: '100',
      folder: '-home-ada',
    })
})

it('another program in the same folder extends no session there', () => {
  for (const command of ['bash', 'vim claude.md', 'claudette', 'claude-monitor', undefined, 5])
    expect(aboutProcess(reportOf({ pid: 7, cwd: '/home/ada', command }))).toEqual({
      agent: 'claude',
      pid: 7,
    })
})
