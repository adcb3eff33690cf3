import { appendFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { FolderSet } from '../../src/sources/folder-set.ts'
import { TranscriptSource } from '../../src/sources/transcripts.ts'
import { after, Collector, folder, LOGGING, quiet, until } from './support.ts'

function start(more: { projectsMax?: number } = {}) {
  const config = join(folder(), 'later', '.claude')
  const projects = join(config, 'projects')
  const collector = new Collector()
  const { sink, complain } = collector
  const options = { sink, complain, cursorOf: () => undefined, backstopMs: 60_000, ...more }
  const source = new TranscriptSource({ ...options, agent: LOGGING, folders: [config] })
  after(() => source.stop())
  return { config, projects, collector, source }
}

const line = (n: number) => `${JSON.stringify({ type: 'user', n })}\n`
const numbers = ({ reports }: Collector) => reports.map(({ entry }) => (entry as { n: number }).n)

function append(path: string, n: number): void {
  mkdirSync(dirname(path), { recursive: true })
  appendFileSync(path, line(n))
}

describe('projects', () => {
  it('[S22] may come later, with their folders, and come again', async () => {
    const { config, projects, collector, source } = start()
    source.start()
    for (let n = 1; n <= 6; n += 2) {
      append(join(projects, 'p', 'a.jsonl'), n)
      await until('its line', () => collector.reports.length === n)
      append(join(projects, `q${n}`, 'b.jsonl'), n + 1)
      await until('the other’s', () => collector.reports.length === n + 1)
      rmSync(config, { recursive: true, maxRetries: 10 })
      await until('no watch', () => source.watches === 0)
    }
    expect(numbers(collector)).toEqual([1, 2, 3, 4, 5, 6])
    expect(collector.complaints).toEqual([])
  })

  it('[S22] that are replaced in one go are watched in their new place', async () => {
    const { projects, collector, source } = start()
    source.start()
    const session = join(projects, 'p', 's1')
    for (let n = 1; n <= 9; n += 3) {
      append(`${session}.jsonl`, n)
      append(join(session, 'subagents', 'agent-1.jsonl'), n + 1)
      await until('both lines', () => collector.reports.length === n + 1)
      append(join(session, 'subagents', 'agent-1.jsonl'), n + 2)
      await until('the next', () => collector.reports.length === n + 2)
      rmSync(join(projects, 'p'), { recursive: true, maxRetries: 10 })
    }
    expect(numbers(collector).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('[S22] of a config folder added later are watched', async () => {
    const { collector, source } = start()
    source.start()
    const other = folder()
    append(join(other, 'projects', 'p', 'a.jsonl'), 1)
    source.add(other)
    source.add(other)
    await quiet()
    expect(collector.reports).toEqual([])
    append(join(other, 'projects', 'p', 'a.jsonl'), 2)
    await until('both lines', () => collector.reports.length === 2)
  })

  it('[S25] beyond the limit the newest are watched, with one complaint', async () => {
    const { projects, collector, source } = start({ projectsMax: 50 })
    for (let n = 0; n < 53; n++) {
      const path = join(projects, `p${n}`)
      mkdirSync(path, { recursive: true })
      utimesSync(path, 1_000_000 - n, 1_000_000 - n)
    }
    source.start()
    expect(source.watches).toBe(50)
    expect(collector.complaints).toHaveLength(1)
    append(join(projects, 'p51', 'a.jsonl'), 1)
    append(join(projects, 'p0', 'a.jsonl'), 2)
    await until('the newest’s line', () => collector.reports.length === 1)
    await quiet()
    expect(numbers(collector)).toEqual([2])
    // A project that begins is the newest of all.
    append(join(projects, 'another', 'a.jsonl'), 3)
    await until('its line', () => collector.reports.length === 2)
    expect(source.watches).toBe(50)
    expect(collector.complaints).toHaveLength(1)
  })
})

describe('subagents', () => {
  const deep = ['subagents/agent-1.jsonl', 'subagents/workflows/wf_1/agent-2.jsonl'] as const

  it('[S22] of a session that is followed are read when they appear', async () => {
    const { projects, collector, source } = start()
    const session = join(projects, 'p', 's1')
    append(`${session}.jsonl`, 1)
    source.start()
    source.follow(`${session}.jsonl`)
    await until('its own line', () => collector.reports.length === 1)
    append(join(session, deep[0]), 2)
    await until('its subagent’s', () => collector.reports.length === 2)
    append(join(session, deep[1]), 3)
    await until('its workflow’s', () => collector.reports.length === 3)
    append(join(session, deep[0]), 4)
    await until('the next', () => collector.reports.length === 4)
    append(join(session, 'tool-results', 'agent-x.jsonl'), 9)
    append(join(session, 'subagents', 'workflows', 'wf_1', 'journal.jsonl'), 9)
    await quiet()
    expect(numbers(collector)).toEqual([1, 2, 3, 4])
  })

  it('[S22] there before us are read when they grow, until the session is left', async () => {
    const { projects, collector, source } = start()
    const session = join(projects, 'p', 's1')
    append(`${session}.jsonl`, 1)
    for (const path of deep) append(join(session, path), 2)
    source.start()
    const idle = source.watches
    source.follow(`${session}.jsonl`)
    await until('its own line', () => collector.reports.length === 1)
    for (const [i, path] of deep.entries()) {
      append(join(session, path), 3)
      await until('both lines', () => collector.reports.length === 3 + 2 * i)
    }
    expect(source.watches).toBe(idle + 4)
    source.unfollow('s1')
    expect(source.watches).toBe(idle)
    append(join(session, deep[0]), 4)
    await quiet()
    expect(numbers(collector)).toEqual([1, 2, 3, 2, 3])
    source.follow(`${session}.jsonl`)
    expect(source.watches).toBe(idle + 4)
    source.unfollow(`${session}.jsonl`)
    expect(source.watches).toBe(idle)
  })

  it('[S22] a session that grows is followed by itself; others’ folders get no watch', async () => {
    const { projects, collector, source } = start()
    const session = join(projects, 'p', 's1')
    append(`${session}.jsonl`, 1)
    append(join(projects, 'p', 's2', deep[0]), 1)
    source.start()
    const idle = source.watches
    append(`${session}.jsonl`, 2)
    await until('its lines', () => collector.reports.length === 2)
    expect(source.watches).toBe(idle)
    append(join(session, deep[0]), 3)
    await until('its subagent’s', () => collector.reports.length === 3)
    append(join(projects, 'p', 's2', deep[0]), 9)
    append(join(projects, 'p', 's3', deep[0]), 9)
    await quiet()
    expect(numbers(collector)).toEqual([1, 2, 3])
  })
})

it('[S25] beyond the limit the longest silent folder gives way', async () => {
  const base = folder()
  const told: string[] = []
  const collector = new Collector()
  const set = new FolderSet({
    max: 2,
    what: 'folders are',
    onName: (path) => told.push(path),
    complain: collector.complain,
  })
  after(() => set.close())
  const [a, b, c] = ['a', 'b', 'c'].map((name) => join(base, name)) as [string, string, string]
  for (const path of [a, b, c]) mkdirSync(path)
  expect([a, b, a].map((path) => set.add(path))).toEqual([true, true, false])
  writeFileSync(join(a, 'x'), '')
  await until('a’s word', () => told.includes(a))
  set.add(c)
  expect([a, b, c].map((path) => set.has(path))).toEqual([true, false, true])
  expect(collector.complaints).toHaveLength(1)
  expect(set.add(join(base, 'none'))).toBe(false)
  expect(collector.complaints).toHaveLength(1)
})
