import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { allPeers } from '../../lab/peers/all.ts'
import { ALWAYS_IDLE } from '../../lab/peers/always-idle.ts'
import { aboutOnly } from '../../lab/peers/lines.ts'
import type { Peer } from '../../lab/peers/peer.ts'
import { scorePeer } from '../../lab/peers/score.ts'
import { sorted, tableOf } from '../../lab/peers/table.ts'
import { strandsOf } from '../../src/recording/client-runs.ts'
import { readRecording } from '../../src/recording/read.ts'
import { at } from './support.ts'

const TAIL_MS = 20_000
const folder = new URL('../recordings/', import.meta.url)

const recordings = globSync('*.jsonl', { cwd: folder })
  .toSorted()
  .map((file) => readRecording(file, readFileSync(new URL(file, folder), 'utf8')))

const peers = (await allPeers(false)).filter((peer): peer is Peer => 'judge' in peer)
const rows = peers.map((peer) => scorePeer(peer, recordings, TAIL_MS))
const others = rows.filter(({ name }) => !name.startsWith('vigil'))
const balanceOf = (wanted: string) =>
  rows.find(({ name }) => name === wanted)?.sum.balancedPercent ?? 0

describe('on the recordings', () => {
  it.each(others)('vigil is ahead of $name, and is without its own key to the truth', (row) => {
    expect(balanceOf('vigil')).toBeGreaterThan(row.sum.balancedPercent)
    expect(balanceOf('vigil, no registry')).toBeGreaterThan(row.sum.balancedPercent)
  })

  it('every system is better than none', () => {
    const worst = others.filter(({ sum }) => sum.balancedPercent < balanceOf('always idle'))
    expect(worst.map(({ name }) => name)).toEqual([])
  })

  it('the table is sorted by balance and has a row for each, absent ones below', () => {
    const table = tableOf(
      sorted(rows),
      [{ name: 'gone', knows: 'nothing', absent: 'no network' }],
      (_, text) => text,
    )
    const lines = table.trimEnd().split('\n')
    expect(lines).toHaveLength(rows.length + 2)
    expect(lines[0]).toMatch(/^system .*balanced %/)
    expect(lines.at(-2)).toMatch(/^always idle /)
    expect(lines.at(-1)).toMatch(/^gone +not run: no network$/)
  })
})

describe('a failed turn', () => {
  const failed = recordings.filter(({ name }) => name === 'err400.jsonl')
  const saying = (state: string): Peer => ({ ...ALWAYS_IDLE, judge: () => [{ t: 0, state }] })

  it('counts as idle in the balance, for verdicts of idle and of error', () => {
    const [idle, error] = ['idle', 'error'].map((word) => scorePeer(saying(word), failed, TAIL_MS))
    expect(idle?.sum.recallPercent.idle).toBe(100)
    expect(error?.sum.recallPercent).toEqual(idle?.sum.recallPercent)
    expect(idle?.sum.recallPercent).not.toHaveProperty('error')
  })

  it('has a column of its own for systems that say error', () => {
    expect(scorePeer(saying('idle'), failed, TAIL_MS).errorPercent).toBe(0)
    expect(scorePeer(saying('error'), failed, TAIL_MS).errorPercent).toBe(100)
  })
})

it('of two clients each is looked at by itself', () => {
  const registry = (ms: number, pid: number, sessionId: string) => ({
    ...at.process(ms, true, pid),
    source: 'registry',
    file: { sessionId, status: 'idle' },
  })
  const own = [
    registry(0, 7, 's'),
    at.hook(100, 'Stop'),
    at.screen(200, 'one'),
    at.entry(300, { type: 'user' }),
  ]
  const others = [
    registry(10, 8, 'other'),
    { ...at.hook(110, 'Stop', { session_id: 'other' }), env: { tmuxPane: '%1' } },
    { ...at.screen(210, 'two'), pane: '%1' },
    { ...at.entry(310, { type: 'user' }), path: '/lab/other.jsonl' },
  ]
  const run = [...own, ...others].toSorted((a, b) => a.t - b.t)
  const views = strandsOf(run).map((strand) => aboutOnly(strand, run))
  expect(views).toEqual([own, others])
})
