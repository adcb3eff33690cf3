import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { SpoolSource } from '../../src/sources/spool.ts'
import { after, Collector, folder, quiet, spoolText, until, writeSpool } from './support.ts'

function start(base = folder()) {
  const spool = join(base, 'spool')
  const rejected = join(base, 'rejected')
  mkdirSync(spool, { recursive: true })
  const collector = new Collector()
  const { sink, complain } = collector
  const make = () => {
    const source = new SpoolSource({ folder: spool, sink, complain, backstopMs: 30 })
    after(() => source.stop())
    source.start()
    return source
  }
  return { base, spool, rejected, collector, make }
}

/** A good file comes through whatever lies beside it. */
async function goodFilePasses({ spool, collector }: ReturnType<typeof start>) {
  const before = collector.reports.length
  writeSpool(spool, 'hook.77777')
  await until('the good report', () => collector.reports.length === before + 1)
}

const CONTENTS: Readonly<Record<string, string | Buffer>> = {
  'hook.1': Buffer.from([0, 1, 2, 255, 254, 10, 46, 10]),
  'hook.2': Buffer.concat([
    Buffer.from('vigil 1\n\n{"a":"'),
    Buffer.from([0xc3, 0x28]),
    Buffer.from('"}\n.\n'),
  ]),
  'hook.3': 'no header\n.\n',
  'hook.4': 'vigil 1\nppid=1\n\n.\n',
  'hook.5': 'vigil 1\n\n[1,2]\n.\n',
  'hook.6': `vigil 1\n\n${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}\n.\n`,
  'hook.7': `vigil 1\n\n${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}\n.\n`,
  'hook.8\n.': spoolText({}),
  '..\\x': spoolText({}),
  '.hidden': spoolText({}),
  'hook.99999999999': spoolText({}),
  'ask.1': spoolText({}),
}

describe('files that cannot be used', () => {
  it('[S6] are set aside, each with one complaint, found by listing and by event', async () => {
    for (const live of [false, true]) {
      const scene = start()
      const { spool, rejected, collector, make } = scene
      if (live) make()
      for (const [name, content] of Object.entries(CONTENTS))
        writeFileSync(join(spool, name), content)
      if (!live) make()
      await until('an empty spool', () => readdirSync(spool).length === 0)
      await goodFilePasses(scene)
      await quiet(100)
      const count = Object.keys(CONTENTS).length
      expect(readdirSync(rejected)).toHaveLength(count)
      expect(collector.complaints).toHaveLength(count)
      expect(collector.reports).toHaveLength(1)
      for (const { about } of collector.complaints) expect(about.name).toMatch(/^[\w.-]+$/)
      for (const name of readdirSync(rejected)) expect(name).toMatch(/^[\w.-]+$/)
      expect(statSync(rejected).mode & 0o777).toBe(0o700)
    }
  })

  it('[S6] a header in another encoding costs no report', async () => {
    const { spool, collector, make } = start()
    make()
    const header = Buffer.from('vigil 1\nppid=5\nconfigDir=/home/\xe4\n\n', 'latin1')
    writeFileSync(join(spool, 'hook.1'), Buffer.concat([header, Buffer.from('{"ü":1}\n.\n')]))
    await until('the report', () => collector.reports.length === 1)
    expect(collector.reports[0]).toMatchObject({ env: { ppid: 5 }, payload: { ü: 1 } })
  })

  it('[S6][S7] a file over 64 MB is not read, nor kept: 1 GB costs no memory', async () => {
    const scene = start()
    const { spool, rejected, collector, make } = scene
    writeFileSync(join(spool, 'hook.1'), '')
    truncateSync(join(spool, 'hook.1'), 1024 ** 3)
    const before = process.memoryUsage().rss
    make()
    await until('an empty spool', () => readdirSync(spool).length === 0)
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 ** 2)
    expect(collector.complaints).toHaveLength(1)
    expect(existsSync(rejected)).toBe(false)
    await goodFilePasses(scene)
  })

  it('[S6] one that may not be read is set aside', async () => {
    const { base, spool, rejected, collector } = start()
    writeSpool(spool, 'hook.1')
    chmodSync(join(spool, 'hook.1'), 0)
    const said = await asOrdinaryUser(base, spool)
    expect(said).toContain('EACCES')
    expect(readdirSync(rejected)).toHaveLength(1)
    expect(collector.reports).toEqual([])
  })
})

describe('what is no file', () => {
  it('[S6] is left alone, never followed, and complained about once', async () => {
    const scene = start()
    const { base, spool, collector, make } = scene
    const secret = join(base, 'secret')
    writeFileSync(secret, spoolText({ secret: true }))
    symlinkSync(secret, join(spool, 'hook.1'))
    symlinkSync('/nowhere', join(spool, 'hook.2'))
    mkdirSync(join(spool, 'hook.3'))
    execFileSync('mkfifo', [join(spool, 'hook.4')])
    const server = createServer().listen(join(spool, 'hook.5'))
    after(() => server.close())
    await until('the socket', () => existsSync(join(spool, 'hook.5')))
    symlinkSync('/dev/zero', join(spool, 'hook.6'))
    const source = make()
    await goodFilePasses(scene)
    await until('six complaints', () => collector.complaints.length === 6)
    // Listed again and again, since the folder keeps changing: no further word.
    const { listings } = source.counts
    await goodFilePasses(scene)
    await until('more listings', () => source.counts.listings > listings + 2)
    expect(collector.complaints).toHaveLength(6)
    expect(readdirSync(spool).toSorted()).toEqual([1, 2, 3, 4, 5, 6].map((n) => `hook.${n}`))
    expect(readFileSync(secret, 'utf8')).toBe(spoolText({ secret: true }))
    expect(JSON.stringify(collector.reports)).not.toContain('secret')
  })
})

describe('what was set aside', () => {
  it('[S7] is kept up to 100 files, the oldest go first, also over a restart', async () => {
    const { spool, rejected, collector, make } = start()
    const first = make()
    for (let i = 1; i <= 60; i++) writeFileSync(join(spool, `hook.${i}`), 'x\n.\n')
    await until('60 set aside', () => collector.complaints.length === 60)
    first.stop()
    make()
    for (let i = 61; i <= 150; i++) writeFileSync(join(spool, `hook.${i}`), 'x\n.\n')
    await until('150 set aside', () => collector.complaints.length === 150)
    const kept = readdirSync(rejected).map((name) => Number(name.split('.').at(-1)))
    expect(kept.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i + 51))
  })

  it('[S7] is kept up to 50 MB', async () => {
    const { spool, rejected, collector, make } = start()
    make()
    for (let i = 1; i <= 4; i++) {
      writeFileSync(join(spool, `hook.${i}`), `${'x'.repeat(20 * 1024 ** 2)}\n.\n`)
      await until('it set aside', () => collector.complaints.length === i)
    }
    expect(readdirSync(rejected).map((name) => name.split('-').at(-1))).toEqual([
      'hook.3',
      'hook.4',
    ])
  })
})

/** Root may read anything: the source runs as another user and prints its first word. */
async function asOrdinaryUser(base: string, spool: string): Promise<string> {
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  if (nobody.uid !== undefined)
    for (const path of [base, spool, join(spool, 'hook.1')]) chownSync(path, 65_534, 65_534)
  const module = new URL('../../src/sources/spool.ts', import.meta.url).href
  const script = `
    const { SpoolSource } = await import('${module}')
    const complain = (what, about) => { console.log(what, about); process.exit() }
    new SpoolSource({ folder: process.argv[1], sink: complain, complain }).start()`
  const args = ['--input-type=module', '-e', script, spool]
  const { stdout } = await promisify(execFile)(process.execPath, args, nobody)
  return stdout
}
