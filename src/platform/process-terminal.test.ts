import { expect, it } from 'vitest'
import { terminalInPs, terminalInStat } from './process-terminal.ts'

const stat = (rest: string, name = 'claude') => `4711 (${name}) ${rest} 4194304 1 2 3`

it('[PA10] a process sits at its terminal, in front or not', () => {
  expect(terminalInStat(stat('S 1 4711 4711 34819 4711'))).toEqual({
    tty: '/dev/pts/3',
    inFront: true,
  })
  expect(terminalInStat(stat('S 1 4711 4700 34819 4712'))).toEqual({
    tty: '/dev/pts/3',
    inFront: false,
  })
  expect(terminalInStat(stat('T 1 4711 4711 34819 4711'))).toMatchObject({ inFront: false })
  expect(terminalInStat(stat('S 1 7 7 34819 7', 'a) S 1 2 3 4'))).toMatchObject({ inFront: true })
})

it('[PA10] terminals beyond the first 256 are distinguished, and other kinds left to ps', () => {
  expect(terminalInStat(stat('S 1 7 7 35072 7'))).toMatchObject({ tty: '/dev/pts/256' })
  expect(terminalInStat(stat('S 1 7 7 1025 7'))).toBe('elsewhere')
  expect(terminalInStat(stat('S 1 7 7 0 -1'))).toBeUndefined()
})

it('[PA10] ps says the same', () => {
  expect(terminalInPs('pts/3  4711  4711 S+\n')).toEqual({ tty: '/dev/pts/3', inFront: true })
  expect(terminalInPs('ttys001 1 2 S\n')).toEqual({ tty: '/dev/ttys001', inFront: false })
  expect(terminalInPs('pts/3 1 1 T\n')).toMatchObject({ inFront: false })
  expect(terminalInPs('? 1 -1 Ss\n')).toBeUndefined()
  expect(terminalInPs('')).toBeUndefined()
})
