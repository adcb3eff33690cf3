import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SpoolSource } from '../../src/sources/spool.ts'
import { after, Collector, quiet, spoolText, swiftFolder, until, writeSpool } from './support.ts'

const FILES = 10_000

function start(collector: Collector) {
  const spool = join(swiftFolder(), 'spool')
  mkdirSync(spool)
  const { sink, complain } = collector
  const source = new SpoolSource({ folder: spool, sink, complain, backstopMs: 100 })
  after(() => source.stop())
  return { spool, source }
}

describe('a backlog', () => {
  it('[S3] is taken in the order it was written, in batches, listed a few times', async () => {
    const collector = new Collector()
    const { spool, source } = start(collector)
    for (let i = 1; i <= FILES; i++) {
      const name = `hook.${((i * 7919) % 99_991) + 1}`
      writeSpool(spool, name, { i })
      utimesSync(join(spool, name), 1_700_000_000, 1_700_000_000 + i / 1000)
    }
    source.start()
    await until('the first batch', () => collector.batches.length > 0)
    writeSpool(spool, 'hook.100000', { i: FILES + 1 })
    await until('all', () => collector.reports.length === FILES + 1, 30_000)
    await until('an empty spool', () => readdirSync(spool).length === 0)
    const order = collector.reports.map(({ payload }) => (payload as { i: number }).i)
    expect(order).toEqual(Array.from({ length: FILES + 1 }, (_, i) => i + 1))
    expect(Math.max(...collector.batches)).toBeLessThanOrEqual(512)
    // One to begin with, and a few to see that all is taken: none for each of 20 or more batches.
    expect(source.counts.listings).toBeLessThan(10)
    expect(new Set(collector.arrivals.map(({ key }) => key)).size).toBe(FILES + 1)
  })

  it('[S3] the next batch is read when the one before is committed', async () => {
    const collector = new Collector({ commit: 'when told' })
    const { spool, source } = start(collector)
    for (let i = 1; i <= 1_500; i++) writeSpool(spool, `hook.${i}`)
    source.start()
    for (let done = 0; done < 1_500; ) {
      await until('the next batch', () => collector.reports.length > done)
      const left = 1_500 - done
      await until('what is committed is gone', () => readdirSync(spool).length === left)
      done = collector.reports.length
      expect(collector.batches.at(-1)).toBeLessThanOrEqual(512)
      collector.commit()
    }
    await until('an empty spool', () => readdirSync(spool).length === 0)
  })

  it('[S3] of large files is not held in memory at once', async () => {
    const collector = new Collector({ commit: 'when told' })
    const { spool, source } = start(collector)
    for (let i = 1; i <= 12; i++) writeSpool(spool, `hook.${i}`, { x: 'x'.repeat(4 * 1024 ** 2) })
    source.start()
    await until('a batch', () => collector.batches.length === 1)
    expect(collector.batches[0]).toBeLessThanOrEqual(4)
  })

  it('[S24] is taken in full where the system lost count of its events', async () => {
    const collector = new Collector()
    const { spool, source } = start(collector)
    source.start()
    await until('the first listing', () => source.counts.listings > 2)
    // Two events each, more than the 16,384 that Linux keeps without a reader.
    for (let i = 1; i <= 9_000; i++) writeSpool(spool, `hook.${i}`)
    await until('all', () => collector.reports.length === 9_000, 30_000)
    await until('an empty spool', () => readdirSync(spool).length === 0)
  })

  it('[S24] that is finished without an event is found', async () => {
    const collector = new Collector()
    const { spool, source } = start(collector)
    source.start()
    const silent = join(spool, '..', 'silent')
    writeFileSync(silent, spoolText({}).slice(0, -1))
    linkSync(silent, join(spool, `hook.${process.pid}`))
    await quiet()
    // What is written under another name of the same file causes no event here.
    appendFileSync(silent, '\n')
    await until('the report', () => collector.reports.length === 1)
  })
})
