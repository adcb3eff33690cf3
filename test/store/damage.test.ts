import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { aChange, aCommit, aNew, aPath, aReport, aSession, contentOf, open } from './samples.ts'

const NOW = Date.UTC(2026, 10, 15, 23, 1, 12)
const REPORTS = 400
const CORRUPT = 'vigil.db.corrupt-20261115T230112Z'

let path: string
let before: ReturnType<typeof contentOf>

beforeEach(() => {
  path = aPath()
  const { store } = open(path, { now: NOW - 1_000_000 })
  fill(store)
  before = contentOf(store)
  store.close()
})

describe('what cannot be used', () => {
  it('[D5] a file that is no database is set aside and said', () => {
    writeFileSync(path, 'not a database at all\n'.repeat(100))
    const { store, notice } = open(path, { now: NOW })
    expect(notice).toContain(`${path}: is not a database; it was set aside as`)
    expect(notice).toContain(`${CORRUPT}, and the log was rebuilt from what remains: 0 reports`)
    expect(readFileSync(join(dirname(path), CORRUPT), 'utf8')).toMatch(/^not a database/)
    expectUsable(store)
  })

  it('[D5] an emptied file is said', () => {
    truncateSync(path, 0)
    const { store, notice } = open(path, { now: NOW })
    expect(notice).toContain('is empty')
    expectUsable(store)
  })

  it('[D5] the database of another program is set aside whole', () => {
    rmSync(path)
    const other = new DatabaseSync(path)
    other.exec('CREATE TABLE recipes (id INTEGER); INSERT INTO recipes VALUES (7)')
    other.close()
    expect(open(path, { now: NOW }).notice).toContain('is not a log of vigil')
    const kept = new DatabaseSync(join(dirname(path), CORRUPT))
    expect(kept.prepare('SELECT id FROM recipes').get()).toEqual({ id: 7 })
    kept.close()
  })

  it('[D5] a folder in its place is moved out of the way, with all that is in it', () => {
    rmSync(path)
    mkdirSync(path)
    writeFileSync(join(path, 'mine'), 'kept')
    const { store, notice } = open(path, { now: NOW })
    expect(notice).toContain('is not a file')
    expect(readFileSync(join(dirname(path), CORRUPT, 'mine'), 'utf8')).toBe('kept')
    expectUsable(store)
  })

  it('[D5] a link in its place is moved, what it leads to is not written', () => {
    const target = join(dirname(path), 'elsewhere')
    rmSync(path)
    symlinkSync(target, path)
    expectUsable(open(path, { now: NOW }).store)
    expect(existsSync(target)).toBe(false)
  })

  it('[D5] a folder in the place of its write-ahead log is moved too, and nothing is lost', () => {
    mkdirSync(`${path}-wal`)
    const { store } = open(path, { now: NOW })
    expect(readdirSync(dirname(path))).toContain(`${CORRUPT}-wal`)
    expectUsable(store)
  })

  it('[D5] the log of a newer vigil is set aside with its schema in its name', () => {
    const newer = new DatabaseSync(path)
    newer.exec('PRAGMA user_version = 99; ALTER TABLE reports ADD COLUMN more TEXT')
    newer.close()
    const { store, notice } = open(path, { now: NOW })
    expect(notice).toContain('was written by a newer vigil (schema 99')
    expect(readdirSync(dirname(path))).toContain('vigil.db.newer-99-20261115T230112Z')
    expect(contentOf(store)).toEqual(before)
  })

  it('[D5] the newest five damaged logs are kept, and folders and newer ones', () => {
    const folder = dirname(path)
    for (let n = 0; n < 8; n += 1) {
      writeFileSync(path, `broken ${n}`)
      open(path, { now: NOW + n * 1_000 }).store.close()
    }
    mkdirSync(join(folder, 'vigil.db.corrupt-2020'))
    writeFileSync(path, 'broken 8')
    open(path, { now: NOW + 8_000 }).store.close()
    const kept = readdirSync(folder).filter((name) => name.includes('corrupt'))
    expect(kept).toHaveLength(6)
    expect(kept.map((name) => name.slice(-4))).toEqual([
      '2020',
      ...['116Z', '117Z', '118Z', '119Z', '120Z'],
    ])
  })
})

describe('what remains', () => {
  it('[D6] a truncated log gives what is left of it', () => {
    truncateSync(path, Math.floor(readFileSync(path).length * 0.7))
    const { store, notice } = open(path, { now: NOW })
    expect(notice).toMatch(/is damaged .* rebuilt from what remains: [1-9]\d* reports/)
    expectPartOf(store)
    expectUsable(store)
  })

  it('[D6] pages overwritten in the middle cost what was on them and no more', () => {
    const bytes = readFileSync(path)
    bytes.fill(0xa5, 40 * 4096, 43 * 4096)
    writeFileSync(path, bytes)
    const { store, notice } = open(path, { now: NOW })
    expect(notice).toContain('is damaged')
    expect(expectPartOf(store)).toBeGreaterThan(REPORTS * 0.8)
    expect(store.firstChangeId()).toBeGreaterThan(NOW)
  })

  it('[D5][D6] a torn write-ahead log gives what was committed before the tear', () => {
    const { store } = open(path)
    for (let t = 0; t < 50; t += 1) store.commit(aCommit({ reports: [aNew(10_000 + t)] }))
    const folder = `${dirname(path)}-killed`
    const killed = join(folder, basename(path))
    mkdirSync(folder)
    copyFileSync(path, killed)
    copyFileSync(`${path}-wal`, `${killed}-wal`)
    const wal = readFileSync(`${killed}-wal`)
    const middle = Math.floor(wal.length / 2)
    wal.writeUInt8(wal.readUInt8(middle) ^ 0xff, middle)
    writeFileSync(`${killed}-wal`, wal)
    const { store: rebuilt, notice } = open(killed, { now: NOW })
    expect(notice).toMatch(/is damaged \(its write-ahead log is damaged at frame \d+ of \d+\)/)
    const { reports } = rebuilt.counts()
    expect(reports).toBeGreaterThan(REPORTS)
    expect(reports).toBeLessThan(REPORTS + 50)
    expect(readdirSync(folder)).toContain(`${CORRUPT}-wal`)
  })

  it('[D6] a rebuild that was killed before it took its place is found', () => {
    copyFileSync(path, `${path}.rebuild`)
    rmSync(path)
    const { store, notice } = open(path, { now: NOW })
    expect(notice).toContain('while it rebuilt the log')
    expect(contentOf(store)).toEqual(before)
  })
})

describe('turned bytes', () => {
  it('[D5][D6] any byte of the header turned: all is there, or it is said', () => {
    const whole = readFileSync(path)
    for (let at = 0; at < 100; at += 1) openTurned(whole, [at])
  })

  it('[D5][D6] any bytes turned anywhere: the log opens, is read and goes on', () => {
    const whole = readFileSync(path)
    const places = fc.array(fc.nat({ max: whole.length - 1 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(places, (at) => openTurned(whole, at)),
      { numRuns: 40 },
    )
  })
})

function openTurned(whole: Buffer, places: readonly number[]): void {
  const bytes = Buffer.from(whole)
  for (const at of places) bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at)
  const folder = dirname(path)
  for (const name of readdirSync(folder))
    rmSync(join(folder, name), { recursive: true, maxRetries: 10 })
  writeFileSync(path, bytes)
  const { store, notice } = open(path, { now: NOW })
  try {
    if (notice === undefined) expect(store.counts().reports, `${places}`).toBe(REPORTS)
    store.reports({ limit: 1_000 })
    store.changesAfter(0, 1_000)
    for (const _ of store.openReports());
    expectUsable(store)
  } finally {
    store.close()
  }
}

function fill(store: Store): void {
  const times = Array.from({ length: REPORTS }, (_, n) => n + 1)
  const text = 'x'.repeat(800)
  const first = store.lastChangeId() + 1
  store.commit({
    reports: times.map((t) => aNew(t, { report: aReport(t, { text }) })),
    changes: times.slice(0, 50).map((t, n) => aChange(first + n, t)),
    sessions: [aSession('one'), aSession('two', { open: false })],
    cursors: [{ path: '/a', inode: '1', offset: 5 }],
    renamed: [],
  })
  store.rememberFolder({ agent: 'claude', path: '/home/ada/.claude' })
}

/** Everything that was salvaged was there before; how many reports that is. */
function expectPartOf(store: Store): number {
  const { reports } = contentOf(store)
  const known = new Map(before.reports.map((logged) => [logged.id, logged]))
  for (const logged of reports) expect(logged).toEqual(known.get(logged.id))
  expect(reports.length).toBeGreaterThan(0)
  return reports.length
}

function expectUsable(store: Store): void {
  const id = store.lastChangeId() + 1
  const commit = aCommit({ reports: [aNew(999_999)], changes: [aChange(id, 999_999)] })
  expect(store.commit(commit).ids[0]).toBeGreaterThan(0)
  expect(store.known(['hook.999999']).size).toBe(1)
}
