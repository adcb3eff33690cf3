import {
  appendFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Cursor } from '../../src/sources/arrival.ts'
import { TranscriptSource } from '../../src/sources/transcripts.ts'
import { after, Collector, folder, LOGGING, quiet, until } from './support.ts'

function start(collector = new Collector(), { backstopMs = 60_000, busy = [] as string[] } = {}) {
  const config = join(folder(), '.claude')
  const project = join(config, 'projects', '-home-ada')
  mkdirSync(project, { recursive: true })
  const cursors = new Map<string, Cursor>()
  const { sink, complain } = collector
  const make = () => {
    const source = new TranscriptSource({
      agent: LOGGING,
      sink,
      complain,
      cursorOf: (path) => cursors.get(path),
      busyPaths: () => busy,
      backstopMs,
      folders: [config],
    })
    after(() => source.stop())
    source.start()
    return source
  }
  return { config, project, collector, cursors, make, busy }
}

const line = (n: number, type = 'user') => `${JSON.stringify({ type, n, sessionId: 's' })}\n`
const numbers = ({ reports }: Collector) => reports.map(({ entry }) => (entry as { n: number }).n)

function inodeOf(path: string): string {
  const { ino, birthtimeNs } = statSync(path, { bigint: true })
  return `${ino}@${birthtimeNs}`
}

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

describe('a transcript', () => {
  it('[S17] that grows is read on, line by line, each with the place behind it', async () => {
    const { project, collector, make } = start()
    const path = write(join(project, 'a.jsonl'), line(1))
    make()
    await quiet()
    expect(collector.reports).toEqual([])
    appendFileSync(path, line(2) + line(3) + line(4).slice(0, 9))
    await until('two more', () => collector.reports.length === 3)
    expect(collector.reports[2]).toEqual({
      t: expect.any(Number),
      source: 'transcript',
      agent: 'claude',
      path,
      entry: { type: 'user', n: 3, sessionId: 's' },
    })
    const inode = inodeOf(path)
    const offset = (line(1) + line(2) + line(3)).length
    expect(collector.arrivals[2]?.cursor).toEqual({ path, inode, offset })
    appendFileSync(path, line(4).slice(9))
    await until('the torn one', () => collector.reports.length === 4)
    expect(numbers(collector)).toEqual([1, 2, 3, 4])
  })

  it('[S17] with a cursor is read from there', async () => {
    const { project, collector, cursors, make } = start()
    const path = write(join(project, 'a.jsonl'), line(1) + line(2))
    const inode = inodeOf(path)
    cursors.set(path, { path, inode, offset: line(1).length })
    make()
    appendFileSync(path, line(3))
    await until('the rest', () => collector.reports.length === 2)
    expect(numbers(collector)).toEqual([2, 3])
  })

  it('[S18] there before us is read from its last MB, one that appears in full', async () => {
    const { project, collector, make } = start()
    const text = line(1).repeat(60_000)
    const old = write(join(project, 'old.jsonl'), text)
    make()
    write(join(project, 'new.jsonl'), text)
    await until('all of it', () => collector.reports.length === 60_000)
    expect(new Set(collector.reports.map(({ path }) => path))).toEqual(
      new Set([join(project, 'new.jsonl')]),
    )
    appendFileSync(old, line(2))
    await until('the old one’s last', () => numbers(collector).at(-1) === 2)
    const tail = collector.reports.length - 60_000
    expect(tail).toBeGreaterThan(1024 ** 2 / line(1).length - 2)
    expect(tail).toBeLessThan(1024 ** 2 / line(1).length + 2)
    expect(collector.complaints).toEqual([])
  })

  it('[S18] that is followed is read at once, though it does not grow', async () => {
    const { config, project, collector, make } = start()
    const path = write(join(project, 'a.jsonl'), line(1))
    write(join(project, 'b.jsonl'), line(2))
    const source = make()
    expect(source.follow(path)).toBe(true)
    await until('its lines', () => collector.reports.length === 1)
    expect(source.follow(path)).toBe(true)
    await quiet()
    expect(numbers(collector)).toEqual([1])
    const elsewhere = write(join(folder(), 'projects', 'x', 'c.jsonl'), line(3))
    const outside = write(`${config}/x.jsonl`, line(4)).replace(config, `${config}/projects/..`)
    for (const other of [elsewhere, outside, join(project, 'x.txt'), ''])
      expect(source.follow(other)).toBe(false)
  })

  it('[S19] that was replaced begins anew', async () => {
    const { project, collector, make } = start()
    make()
    const path = write(join(project, 'a.jsonl'), line(1) + line(2))
    await until('both', () => collector.reports.length === 2)
    write(`${path}.tmp`, line(7) + line(8) + line(9))
    renameSync(`${path}.tmp`, path)
    await until('the other file', () => collector.reports.length === 5)
    writeFileSync(path, line(4))
    await until('the shrunk file', () => collector.reports.length === 6)
    expect(numbers(collector)).toEqual([1, 2, 7, 8, 9, 4])
  })

  it('[S20] its listings are not handed over, but are passed', async () => {
    const { project, collector, make } = start()
    make()
    const listings = ['attachment', 'file-history-snapshot', 'skill_listing'].map((type) =>
      line(0, type),
    )
    const text = line(1) + listings.join('') + line(2)
    const path = write(join(project, 'a.jsonl'), text)
    await until('two', () => collector.reports.length === 2)
    expect(numbers(collector)).toEqual([1, 2])
    expect(collector.arrivals[1]?.cursor?.offset).toBe(text.length)
    appendFileSync(path, listings.join(''))
    appendFileSync(path, line(3))
    await until('the third', () => collector.reports.length === 3)
    expect(collector.complaints).toEqual([])
  })

  it('[S20] what is no JSON object is left out, with one complaint a file', async () => {
    const { project, collector, make } = start()
    make()
    const deep = `{"a":${'['.repeat(9_000)}${']'.repeat(9_000)}}`
    const bad = ['no json', '[1]', 'null', '\0\0', '{"a":', deep].join('\n')
    write(join(project, 'a.jsonl'), `${line(1)}${bad}\n${line(2)}`)
    write(join(project, 'b.jsonl'), `bad\n${line(3)}`)
    await until('the good ones', () => collector.reports.length === 3)
    expect(numbers(collector).toSorted()).toEqual([1, 2, 3])
    expect(collector.complaints).toHaveLength(2)
    mkdirSync(join(project, 'folder.jsonl'))
    await until('its complaint', () => collector.complaints.length === 3)
  })
})

describe('much at once', () => {
  it('[S21] is read a MB at a time, the next when that is committed', async () => {
    const { project, collector, make } = start(new Collector({ commit: 'when told' }))
    make()
    write(join(project, 'a.jsonl'), line(1).repeat(100_000))
    await until('a batch', () => collector.batches.length === 1)
    await quiet(50)
    expect(collector.batches).toHaveLength(1)
    expect(collector.reports.length * line(1).length).toBeLessThanOrEqual(1024 ** 2)
    // Another file does not wait until the long one is read.
    write(join(project, 'b.jsonl'), line(2))
    await quiet(50)
    expect(collector.batches).toHaveLength(1)
    while (!numbers(collector).includes(2)) {
      const before = collector.batches.length
      collector.commit()
      await until('the next batch', () => collector.batches.length > before)
    }
    expect(collector.batches.length).toBeLessThan(4)
  })

  it('[S21] a GB without a line blocks nothing and fills no memory', async () => {
    const { project, collector, make } = start()
    make()
    const before = process.memoryUsage().rss
    const path = write(join(project, 'a.jsonl'), '')
    truncateSync(path, 1024 ** 3)
    appendFileSync(path, `\n${line(1)}`)
    let turns = 0
    const isRead = () => {
      turns++
      return collector.reports.length === 1
    }
    await until('the line behind it', isRead, 50_000)
    expect(turns).toBeGreaterThan(20)
    expect(process.memoryUsage().rss - before).toBeLessThan(256 * 1024 ** 2)
    expect(collector.complaints).toHaveLength(1)
  })
})

describe('where no event comes', () => {
  it('[S24] busy transcripts are looked at', async () => {
    const { project, collector, make, busy } = start(new Collector(), { backstopMs: 30 })
    const path = write(join(project, 'a.jsonl'), line(1))
    // What is written under another name of the same file causes no event here.
    const silent = join(folder(), 'a')
    linkSync(path, silent)
    make()
    busy.push(path, '/elsewhere.jsonl')
    await until('its line', () => collector.reports.length === 1)
    appendFileSync(silent, line(2))
    await until('its next', () => collector.reports.length === 2)
    busy.length = 0
    await quiet(100)
    appendFileSync(silent, line(3))
    await quiet(100)
    expect(numbers(collector)).toEqual([1, 2])
  })
})

describe('finding', () => {
  it('[S23] the newest transcript of a folder, changed since', () => {
    const { config, project, make } = start()
    const source = make()
    for (const [name, seconds] of Object.entries({ a: 100, b: 300, c: 200 })) {
      const path = write(join(project, `${name}.jsonl`), line(1))
      utimesSync(path, seconds, seconds)
    }
    write(join(project, 'd.txt'), '')
    expect(source.findFor('-home-ada', 0)).toBe(join(project, 'b.jsonl'))
    expect(source.findFor('-home-ada', 300_000)).toBe(join(project, 'b.jsonl'))
    expect(source.findFor('-home-ada', 300_001)).toBeUndefined()
    const cut = 'x'.repeat(200)
    const long = write(join(config, 'projects', `${cut}-1a2b`, 'e.jsonl'), line(1))
    expect(source.findFor(cut, 0)).toBe(long)
    for (const name of ['-home', '../projects/-home-ada', '', '..', 'none'])
      expect(source.findFor(name, 0)).toBeUndefined()
    rmSync(config, { recursive: true, maxRetries: 10 })
    expect(source.findFor('-home-ada', 0)).toBeUndefined()
  })
})
