import {
  appendFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RegistrySource } from '../../src/sources/registry.ts'
import { after, Collector, folder, quiet, REGISTERING, until } from './support.ts'

function start({ backstopMs = 60_000, againMs = 50, busy = [] as string[] } = {}) {
  const config = join(folder(), 'deep', '.claude')
  const sessions = join(config, 'sessions')
  const collector = new Collector()
  const { sink, complain } = collector
  const busyPaths = () => busy
  const options = { sink, complain, busyPaths, backstopMs, againMs }
  const source = new RegistrySource({ ...options, agent: REGISTERING, folders: [config] })
  after(() => source.stop())
  const write = (pid: number, fields: object) =>
    writeFileSync(join(sessions, `${pid}.json`), JSON.stringify({ pid, sessionId: 's', ...fields }))
  return { config, sessions, collector, source, write, busy }
}

const statusOf = ({ reports }: Collector) =>
  reports.map(({ file }) => (file as { status?: string } | null)?.status ?? null)

describe('a registry file', () => {
  it('[S10] is reported when it is there, when it changes and when it is removed', async () => {
    const { sessions, collector, source, write } = start()
    mkdirSync(sessions, { recursive: true })
    write(7, { status: 'idle' })
    const before = Date.now()
    source.start()
    await until('its first word', () => collector.reports.length === 1)
    expect(collector.reports[0]).toEqual({
      t: expect.any(Number),
      source: 'registry',
      agent: 'claude',
      pid: 7,
      file: { pid: 7, sessionId: 's', status: 'idle' },
    })
    expect(collector.reports[0]?.t).toBeGreaterThanOrEqual(before)
    write(7, { status: 'busy' })
    await until('a change', () => collector.reports.length === 2)
    rmSync(join(sessions, '7.json'))
    await until('its removal', () => collector.reports.length === 3)
    expect(collector.reports[2]).toEqual({
      t: expect.any(Number),
      source: 'registry',
      agent: 'claude',
      pid: 7,
      file: null,
    })
    expect(statusOf(collector)).toEqual(['idle', 'busy', null])
  })

  it('[S10] that says the same again, or replaces itself, says nothing', async () => {
    const { sessions, collector, source, write } = start({ againMs: 2_000 })
    mkdirSync(sessions, { recursive: true })
    source.start()
    write(7, { status: 'idle' })
    await until('its first word', () => collector.reports.length === 1)
    for (let i = 0; i < 20; i++) {
      write(7, { status: 'idle', messagingSocketPath: `/run/${i}` })
      rmSync(join(sessions, '7.json'))
      // Long enough to see that it is gone.
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
      write(8, { status: 'idle' })
      renameSync(join(sessions, '8.json'), join(sessions, '7.json'))
      write(7, { status: 'idle' })
    }
    await quiet()
    expect(statusOf(collector).filter((status) => status === null)).toEqual([])
    expect(collector.reports.filter(({ pid }) => pid === 7)).toHaveLength(1)
  })

  it('[S9] loses its secrets, and a key beside it is never opened', async () => {
    const { sessions, collector, source, write } = start()
    mkdirSync(sessions, { recursive: true })
    source.start()
    write(7, { status: 'idle', messagingSocketPath: '/run/7.sock', token: 'secret' })
    writeFileSync(join(sessions, `7.${'0f'.repeat(32)}.key`), '{"secret":1}')
    await until('its word', () => collector.reports.length === 1)
    await quiet()
    expect(JSON.stringify(collector.arrivals)).not.toMatch(/secret|sock/)
    expect(collector.reports).toHaveLength(1)
  })

  it('[S11] half-written is read again, without an event that says it is whole', async () => {
    const { sessions, collector, source, write } = start({ againMs: 500 })
    mkdirSync(sessions, { recursive: true })
    source.start()
    const text = JSON.stringify({ pid: 7, status: 'busy' })
    for (const piece of ['', text.slice(0, 10), text.slice(10)]) {
      appendFileSync(join(sessions, '7.json'), piece)
      await quiet(30)
    }
    await until('the whole', () => collector.reports.length === 1)
    write(7, { status: 'idle' })
    await until('the next', () => collector.reports.length === 2)
    expect(statusOf(collector)).toEqual(['busy', 'idle'])
    expect(collector.complaints).toEqual([])
  })

  it('[S11] that stays broken, is no object, too large or no file is reported once', async () => {
    const { sessions, collector, source, write } = start()
    mkdirSync(sessions, { recursive: true })
    source.start()
    writeFileSync(join(sessions, '1.json'), '{"pid":')
    writeFileSync(join(sessions, '2.json'), '[1]')
    writeFileSync(join(sessions, '3.json'), JSON.stringify({ x: 'x'.repeat(256 * 1024) }))
    symlinkSync('/etc/hostname', join(sessions, '4.json'))
    mkdirSync(join(sessions, '5.json'))
    writeFileSync(join(sessions, '6.json'), `${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    await until('six complaints', () => collector.complaints.length === 6)
    for (const pid of [1, 2, 3]) appendFileSync(join(sessions, `${pid}.json`), '!')
    await quiet(400)
    expect(collector.complaints).toHaveLength(6)
    write(1, { status: 'idle' })
    await until('its word when it is mended', () => collector.reports.length === 1)
  })
})

describe('the folder', () => {
  it('[S10] may come later, go, and come again', async () => {
    const { config, sessions, collector, source, write } = start()
    source.start()
    for (let round = 1; round <= 3; round++) {
      mkdirSync(config, { recursive: true })
      if (round > 1) await quiet(30)
      mkdirSync(sessions)
      write(round, { status: 'idle' })
      await until('its word', () => collector.reports.length === round * 2 - 1)
      rmSync(config, { recursive: true, maxRetries: 10 })
      await until('its end', () => collector.reports.length === round * 2)
    }
    expect(collector.complaints).toEqual([])
  })

  it('[S10] of another client can be added while watching', async () => {
    const { collector, source } = start()
    source.start()
    const config = folder()
    mkdirSync(join(config, 'sessions'))
    writeFileSync(join(config, 'sessions', '9.json'), '{"pid":9}')
    source.add(config)
    source.add(config)
    await until('its word', () => collector.reports.length === 1)
    writeFileSync(join(config, 'sessions', '9.json'), '{"pid":9,"status":"busy"}')
    await until('its next', () => collector.reports.length === 2)
    await quiet()
    expect(collector.reports).toHaveLength(2)
  })

  it('[S24] moved away without an event is seen by the backstop', async () => {
    const { config, sessions, collector, source, write } = start({ backstopMs: 30 })
    mkdirSync(sessions, { recursive: true })
    write(7, { status: 'idle' })
    source.start()
    await until('its word', () => collector.reports.length === 1)
    // The parent's parent moves: no watch reports it.
    renameSync(join(config, '..'), `${join(config, '..')}-old`)
    await until('its end', () => collector.reports.length === 2)
    expect(statusOf(collector)).toEqual(['idle', null])
  })

  it('[S24] files of busy sessions are looked at where no event comes', async () => {
    const { sessions, collector, source, write, busy } = start({ backstopMs: 30 })
    mkdirSync(sessions, { recursive: true })
    write(7, { status: 'idle' })
    // What is written under another name of the same file causes no event here.
    const silent = join(folder(), 'silent')
    linkSync(join(sessions, '7.json'), silent)
    source.start()
    await until('its word', () => collector.reports.length === 1)
    writeFileSync(silent, '{"pid":7,"status":"busy"}')
    await quiet()
    expect(collector.reports).toHaveLength(1)
    busy.push(join(sessions, '7.json'), '/elsewhere/8.json', 'x')
    await until('its next word', () => collector.reports.length === 2)
  })
})
