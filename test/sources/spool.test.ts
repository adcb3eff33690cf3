import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Sink } from '../../src/sources/arrival.ts'
import { type SpoolOptions, SpoolSource } from '../../src/sources/spool.ts'
import { after, Collector, folder, quiet, spoolText, until, writeSpool } from './support.ts'

/** A backstop that never comes: what is found was reported by an event. */
const NEVER_MS = 1_000_000

function start(collector = new Collector(), options: Partial<SpoolOptions> = {}) {
  const base = folder()
  const spool = join(base, 'spool')
  mkdirSync(spool)
  const make = () => {
    const { sink, complain } = collector
    const source = new SpoolSource({ folder: spool, sink, complain, backstopMs: 50, ...options })
    after(() => source.stop())
    source.start()
    return source
  }
  return { base, spool, collector, make }
}

const namesOf = ({ reports }: Collector) =>
  reports.map(({ payload }) => (payload as { name?: string }).name)

describe('live', () => {
  it('[S1][S4] a file becomes a report when it is written, and needs no backstop', async () => {
    const { spool, collector, make } = start(new Collector(), { backstopMs: NEVER_MS })
    make()
    for (let i = 1; i <= 50; i++) {
      writeSpool(spool, `hook.${i}`)
      await until('the report', () => collector.reports.length === i)
      await until('the file’s removal', () => readdirSync(spool).length === 0)
    }
    expect(collector.complaints).toEqual([])
  })

  it('[S3] while nothing can be committed, what comes is handed over and kept', async () => {
    const unsaved: (() => void)[] = []
    const collector = new Collector()
    const sink: Sink = (arrivals, saved, learnt) => {
      collector.arrivals.push(...arrivals)
      if (saved) unsaved.push(saved)
      setImmediate(() => learnt?.())
    }
    const { spool, make } = start(collector, { sink })
    make()
    for (let i = 1; i <= 5; i++) {
      writeSpool(spool, `hook.${i}`)
      await until('the report', () => collector.reports.length === i)
    }
    await quiet(200)
    expect(namesOf(collector)).toEqual(['hook.1', 'hook.2', 'hook.3', 'hook.4', 'hook.5'])
    expect(readdirSync(spool)).toHaveLength(5)
    for (const saved of unsaved) saved()
    await until('their removal', () => readdirSync(spool).length === 0)
  })

  it('[S1] its time is the file’s, to the millisecond, and never later than now', async () => {
    const { spool, collector, make } = start()
    writeSpool(spool, 'hook.1')
    utimesSync(join(spool, 'hook.1'), 1_700_000_000, 1_700_000_000.125)
    writeSpool(spool, 'hook.2')
    utimesSync(join(spool, 'hook.2'), 4e9, 4e9)
    make()
    await until('both', () => collector.reports.length === 2)
    expect(collector.reports[0]?.t).toBe(1_700_000_000_125)
    expect(collector.reports[1]?.t).toBeLessThanOrEqual(Date.now())
    expect(collector.arrivals[0]?.key).toMatch(/^hook\.1@1700000000125\d{6}$/)
  })

  it('[S1] an incomplete file waits until it is whole', async () => {
    const { spool, collector, make } = start()
    make()
    const text = spoolText({ long: 'ä'.repeat(100_000) })
    const path = join(spool, 'hook.1')
    for (const piece of [text.slice(0, 3), text.slice(3, 90_000), text.slice(90_000, -1)]) {
      appendFileSync(path, piece)
      await quiet(30)
      expect(collector.reports).toEqual([])
    }
    appendFileSync(path, text.slice(-1))
    await until('the report', () => collector.reports.length === 1)
    expect(collector.reports[0]?.payload).toEqual({ long: 'ä'.repeat(100_000) })
  })

  it('a payload of 50 MB passes', async () => {
    const { spool, collector, make } = start()
    make()
    writeSpool(spool, 'hook.1', { response: 'x'.repeat(50 * 1024 * 1024) })
    await until('the report', () => collector.reports.length === 1)
  })
})

describe('commit', () => {
  it('[S2] a file is there until its report is committed, and is handed over once', async () => {
    const { spool, collector, make } = start(new Collector({ commit: 'when told' }))
    make()
    writeSpool(spool, 'hook.1')
    await until('the report', () => collector.reports.length === 1)
    writeSpool(spool, 'hook.2')
    utimesSync(join(spool, 'hook.1'), 1, 1)
    await quiet()
    expect(readdirSync(spool)).toEqual(['hook.1', 'hook.2'])
    expect(namesOf(collector)).toEqual(['hook.1'])
    collector.commit()
    await until('the second', () => collector.reports.length === 2)
    await until('the first is gone', () => !readdirSync(spool).includes('hook.1'))
    expect(readdirSync(spool)).toEqual(['hook.2'])
    collector.commit()
    await until('an empty spool', () => readdirSync(spool).length === 0)
  })

  it('[S2] seen again by the next daemon it bears the same key', async () => {
    const { spool, collector, make } = start(new Collector({ commit: 'when told' }))
    const first = make()
    writeSpool(spool, 'hook.1')
    await until('the report', () => collector.reports.length === 1)
    first.stop()
    make()
    await until('it again', () => collector.reports.length === 2)
    expect(collector.arrivals[1]?.key).toBe(collector.arrivals[0]?.key)
  })

  it('[S2] a batch committed after the stop still removes its files', async () => {
    const { spool, collector, make } = start(new Collector({ commit: 'when told' }))
    const source = make()
    writeSpool(spool, 'hook.1')
    await until('the report', () => collector.reports.length === 1)
    source.stop()
    collector.commit()
    expect(readdirSync(spool)).toEqual([])
  })
})

describe('incomplete for long', () => {
  it('[S5] after a minute it is set aside when its writer is dead', async () => {
    let now = 0
    const { base, spool, collector, make } = start(new Collector(), { monotonicMs: () => now })
    make()
    const dead = spawn('true')
    await once(dead, 'exit')
    writeFileSync(join(spool, `hook.${dead.pid}`), 'vigil 1\n')
    writeFileSync(join(spool, `hook.${process.pid}`), 'vigil 1\n')
    await quiet()
    now = 59_000
    await quiet()
    expect(readdirSync(spool)).toHaveLength(2)
    now = 61_000
    await until('one set aside', () => collector.complaints.length === 1)
    expect(readdirSync(spool)).toEqual([`hook.${process.pid}`])
    now = 599_000
    await quiet()
    expect(readdirSync(spool)).toHaveLength(1)
    now = 601_000
    await until('the other one set aside', () => readdirSync(spool).length === 0)
    expect(readdirSync(join(base, 'rejected'))).toHaveLength(2)
    expect(collector.reports).toEqual([])
  })
})

describe('the folder', () => {
  it('[S8] that vanishes is made again, private, and watched', async () => {
    const { spool, collector, make } = start(new Collector(), { backstopMs: 400 })
    make()
    for (const [round, vanish] of [
      () => rmSync(spool, { recursive: true, maxRetries: 10 }),
      () => renameSync(spool, `${spool}.old`),
    ].entries()) {
      vanish()
      await until('the folder', () => existsSync(spool))
      expect(statSync(spool).mode & 0o777).toBe(0o700)
      writeSpool(spool, `hook.${round + 1}`)
      await until('its report', () => collector.reports.length === round + 1)
    }
    await until('an empty spool', () => readdirSync(spool).length === 0)
    // Found by a look, each of them would come 400 ms after the one before.
    const tookMs: number[] = []
    for (let n = 3; n < 13; n++) {
      const begun = performance.now()
      writeSpool(spool, `hook.${n}`)
      await until('an event’s report', () => collector.reports.length === n)
      tookMs.push(performance.now() - begun)
    }
    expect(tookMs.filter((ms) => ms < 200).length).toBeGreaterThan(2)
  })

  it('[S8] that was replaced by something else is reported once, and retracted later', async () => {
    const { spool, collector, make } = start()
    rmSync(spool, { recursive: true, maxRetries: 10 })
    writeFileSync(spool, 'in the way')
    make()
    await quiet(300)
    expect(collector.complaints.map(({ what }) => what)).toEqual([
      'the spool folder cannot be used',
    ])
    rmSync(spool)
    await until('the folder', () => existsSync(spool))
    writeSpool(spool, 'hook.1')
    await until('the report', () => collector.reports.length === 1)
  })
})
