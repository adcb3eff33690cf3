import { describe, expect, it } from 'vitest'
import type { Sums } from '../score/sums.ts'
import { type Row, rowsAsJson, rowsAsMarkdown, rowsAsTable } from './versions.ts'

const sum = (rightPercent: number) => ({
  ...{ rightPercent, balancedPercent: 98.765, worstMs: 2_143, worstIn: 'hello' },
  ...{ finalRight: 3, runs: 3, kindPercent: 100, recallPercent: {} },
})
const figures = (rightPercent: number) => ({
  ...sum(rightPercent),
  ...{ delayMedianMs: -12, delayP99Ms: 90, changes: 9, missed: 0 },
})
const sums = (more: Partial<Sums> = {}): Sums => ({
  ...{
    runs: 3,
    failed: 0,
    ghosts: 0,
    disputes: { count: 0, ms: 0 },
    core: figures(99.999),
    live: figures(87.126),
  },
  without: { hook: sum(90), transcript: sum(91), registry: sum(92), screen: sum(93) },
  ...more,
})
const row = (more: Partial<Row> = {}): Row => ({
  ...{ client: '2.1.325', sums: sums(), lacks: [], failed: [], skipped: 0 },
  ...more,
})

/** A run that failed in part, lacks capabilities, and had no daemon. */
const OLD = row({
  client: '1.0.128',
  sums: sums({ failed: 1, live: undefined, without: { hook: sum(90) } }),
  lacks: ['no status in a registry file', '1 hook event'],
  failed: ['esc_tool'],
  skipped: 2,
})
const NOTES = [
  ...OLD.lacks,
  '2 conversations need a newer client',
  'not played to the end: esc_tool',
]
const FIGURES = ['2.1.325', '3', '87.12', '98.76', '2143 ms', '-12 ms', '99.99']
const WITHOUT = ['90.00', '91.00', '92.00', '93.00']
const OLD_FIGURES = ['1.0.128', '2', '–', '–', '–', '–', '99.99', '90.00', '–', '–', '–']

describe('the table of clients', () => {
  const lines = rowsAsTable([row(), OLD], (colour, text) => `${colour}:${text}`).split('\n')
  const cellsOf = (line = '') => line.trim().split(/ {2,}/)

  it('has a row for each, and what one lacks below it', () => {
    expect(cellsOf(lines[1])).toEqual([...FIGURES, ...WITHOUT])
    expect(cellsOf(lines[2])).toEqual(OLD_FIGURES)
    expect(lines.slice(3)).toEqual([...NOTES.map((note) => `dim:  ${note}`), ''])
  })

  it('has its figures below their heads', () => {
    const [head = '', ...rest] = lines
    expect(head).toMatch(/^bold: client {2}runs .* − screen$/)
    for (const line of rest.slice(0, 2)) expect(line).toHaveLength(head.length - 'bold:'.length)
  })
})

describe('the table for a page', () => {
  const [head = '', rule, ...lines] = rowsAsMarkdown([row(), OLD]).trimEnd().split('\n')

  it('has what a client lacks in its last column', () => {
    expect(lines).toEqual([
      `| ${[...FIGURES, ...WITHOUT, 'nothing'].join(' | ')} |`,
      `| ${[...OLD_FIGURES, NOTES.join('; ')].join(' | ')} |`,
    ])
  })

  it('has as many heads as columns', () => {
    const columns = (line = '') => line.split('|').length
    expect([head, rule, ...lines].map(columns)).toEqual(Array(4).fill(columns(head)))
    expect(head).toMatch(/ \| what it lacks \|$/)
  })
})

it('the JSON is a line for each client', () => {
  const lines = rowsAsJson([row(), OLD]).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { client: '2.1.325', sums: { live: { worstMs: 2_143 } } },
    { client: '1.0.128', failed: ['esc_tool'], skipped: 2 },
  ])
})
