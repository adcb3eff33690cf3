import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isSameStart } from '../../src/core/process-start.ts'
import { ProcTable } from '../../src/platform/proc-table.ts'
import { type ProcessTable, startTimeOf } from '../../src/platform/process-table.ts'
import { PsTable } from '../../src/platform/ps-table.ts'
import { DeathLook } from '../../src/sources/death-look.ts'
import { type ProcessOptions, ProcessSource } from '../../src/sources/processes.ts'
import { itUnless, NO_PROC, NOT_ROOT } from '../support/needs.ts'
import { after, Collector, folder, quiet, until } from './support.ts'

/** Each look of the ps table is a whole listing here: the clock runs ten times as fast. */
const TABLES: readonly (readonly [string, () => ProcessTable])[] = [
  ['/proc', () => new ProcTable()],
  ['ps', () => new PsTable(() => performance.now() * 200)],
]

/** No process has such a pid. */
const FAR = 2 ** 23

function start(options: Partial<ProcessOptions> = {}) {
  const collector = new Collector()
  const { sink, complain } = collector
  const source = new ProcessSource({ sink, complain, lookMs: 50, ...options })
  after(() => source.stop())
  source.start()
  /** Other clients may run on this machine. */
  const about = (pid: number | undefined) => collector.reports.filter((seen) => seen.pid === pid)
  return { source, collector, about }
}

function run(program: string, args: readonly string[], options: object = {}): ChildProcess {
  const child = spawn(program, args, { stdio: 'ignore', ...options })
  after(() => child.kill('SIGKILL'))
  return child
}

/** A process that looks like a client and does nothing. */
const client = (options: object = {}) =>
  run('sleep', ['1000'], { argv0: 'claude', env: { PATH: process.env.PATH }, ...options })

describe.each(TABLES)('processes by %s', (_, table) => {
  it('[S12][S13] a client is found with its folder and start, its death told once', async () => {
    const cwd = realpathSync(folder())
    const early = client({ cwd })
    const { about } = start({ table: table() })
    const late = client({ cwd })
    for (const { pid } of [early, late]) {
      await until('it is found', () => about(pid).length === 1)
      expect(about(pid)[0]).toEqual({
        t: expect.any(Number),
        source: 'process',
        agent: 'claude',
        pid,
        alive: true,
        command: 'claude',
        cwd,
        start: expect.stringMatching(/^\d+$|^\w{3} \w{3} +\d+ [\d:]{8} \d{4}$/),
      })
    }
    early.kill('SIGKILL')
    await until('its death', () => about(early.pid).length === 2)
    const begun = about(early.pid)[0]?.start
    expect(about(early.pid)[1]).toMatchObject({ alive: false, start: begun })
    await quiet()
    expect(about(early.pid)).toHaveLength(2)
    expect(about(late.pid)).toHaveLength(1)
  })

  it('[S13] a process told by another source is watched, whatever its name', async () => {
    const { about, source } = start({ table: table() })
    const child = run('sleep', ['1000'])
    const gone = run('true', [])
    await until('it ended', () => gone.exitCode !== null)
    source.watch('claude', child.pid as number)
    source.watch('claude', gone.pid as number, '5')
    source.watch('claude', Number.NaN)
    source.watch('claude', -1)
    await until('its start', () => about(child.pid).length === 1)
    expect(about(child.pid)[0]).toEqual({
      t: expect.any(Number),
      source: 'process',
      agent: 'claude',
      pid: child.pid,
      alive: true,
      start: expect.any(String),
    })
    await until('the other’s end', () => about(gone.pid).length === 1)
    expect(about(gone.pid)[0]).toMatchObject({ alive: false, start: '5' })
    child.kill()
    await until('its end', () => about(child.pid).length === 2)
  })

  it('[S13] a process that became a zombie is dead', async () => {
    const { about, source } = start({ table: table() })
    // Its parent is stopped and so never asks after it.
    const parent = run('sh', ['-c', 'sleep 0.3 & echo $! >&3; kill -STOP $$'], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    let said = ''
    parent.stdio[3]?.on('data', (data) => {
      said += data
    })
    await until('its pid', () => said.includes('\n'))
    source.watch('claude', Number(said))
    await until('its end', () => about(Number(said)).some(({ alive }) => alive === false))
  })
})

describe('by pid and start', () => {
  it('[S13] a pid in other hands is the end of the one watched', async () => {
    const { about, source } = start()
    const child = client()
    const pid = child.pid as number
    source.watch('claude', pid, '17')
    await until('the end of one, the sight of another', () => about(pid).length === 2)
    expect(about(pid)[0]).toMatchObject({ alive: false, start: '17' })
    expect(about(pid)[1]).toMatchObject({ alive: true, start: startTimeOf(pid) })
    // A source that read the old word late takes nothing back, and the pid is looked at anew.
    source.watch('claude', pid, startTimeOf(pid))
    await quiet()
    expect(about(pid)).toHaveLength(2)
  })

  it('[S14] the start is field 22 of its line, whatever its name holds', async () => {
    const base = folder()
    symlinkSync(realpathSync('/bin/sleep'), join(base, 'a) R 1 (b'))
    const { pid } = run(join(base, 'a) R 1 (b'), ['1000'])
    await until('its name', () => readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('a)'))
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
    expect(startTimeOf(pid as number)).toBe(fields?.[19])
    expect(startTimeOf(2 ** 22 + 1)).toBeUndefined()
  })

  it('[S14] ps dates waver by a second; words of another form prove nothing', () => {
    const at = 'Sun Nov  1 10:00:00 2026'
    for (const other of [at, 'Sun Nov  1 10:00:01 2026', '229067'])
      expect(isSameStart(at, other)).toBe(true)
    expect(isSameStart(at, 'Sun Nov  1 10:00:09 2026')).toBe(false)
  })
})

describe('clients', () => {
  it('[S12] errands, wrappers and words about clients are none', async () => {
    const base = folder()
    writeFileSync(join(base, 'claude'), '#!/bin/sh\nread -r line\n', { mode: 0o755 })
    execFileSync('mkfifo', [join(base, 'daemon')])
    // They wait for a word and so have no child that would outlive them.
    const waiting = { cwd: base, stdio: ['pipe', 'ignore', 'ignore'] }
    const none = [
      run(join(base, 'claude'), [], waiting),
      run('bash', ['-c', 'read -r line; : claude'], waiting),
      run('cat', ['daemon'], { argv0: 'claude', cwd: base }),
      run('sleep', ['1000'], { argv0: 'vim claude' }),
    ]
    const { about } = start()
    const one = client()
    await until('the client', () => about(one.pid).length === 1)
    await quiet(300)
    for (const { pid } of none) expect(about(pid)).toEqual([])
  })

  itUnless(NOT_ROOT)('[S12] another user’s are none of ours', async () => {
    const foreign = client({ uid: 65_534, gid: 65_534 })
    const { about } = start()
    const own = client()
    await until('our own', () => about(own.pid).length === 1)
    await quiet()
    expect(about(foreign.pid)).toEqual([])
  })

  it('[S26] what looks like one for one look, as a child of a client does, is none', async () => {
    const [early, brief, late] = [FAR, FAR + 1, FAR + 2]
    const shown = [[early], [early, brief], [early, late], [early, late]]
    let pids = new Set<number>()
    const table: ProcessTable = {
      list: async () => {
        pids = new Set(shown.shift() ?? [early, late])
        return { pids, isWhole: true }
      },
      isRunning: () => true,
      glance: (pid) => (pids.has(pid) ? { start: '1', name: 'claude', zombie: false } : undefined),
      argsOf: async () => ['claude'],
      surroundingsOf: async () => ({ cwd: '/', env: {} }),
    }
    const { about } = start({ table })
    await until('the one that stays is reported', () => about(late).length > 0)
    expect(shown).toEqual([])
    expect(about(early).length).toBeGreaterThan(0)
    expect(about(brief)).toEqual([])
  })

  itUnless(NO_PROC)('[S28] a client is reported with the pane of its variables', async () => {
    const { about } = start()
    const [TMUX, TMUX_PANE] = ['/tmp/tmux-1/default,4711,0', '%7']
    const { PATH } = process.env
    const within = client({ env: { PATH, TMUX, TMUX_PANE } })
    const outside = client({ env: { PATH, TMUX: '', TMUX_PANE } })
    await until('both are found', () => [within, outside].every(({ pid }) => about(pid)[0]))
    const place = { tmux: '/tmp/tmux-1/default', tmuxPane: '%7' }
    expect(about(within.pid)[0]).toMatchObject(place)
    expect(Object.keys(about(outside.pid)[0] ?? {})).not.toContain('tmuxPane')
  })

  it('[S27] a death is reported between two scans, in turn however many there are', () => {
    const told: number[] = []
    const asked: number[] = []
    const watched = new Map(Array.from({ length: 240 }, (_, index) => [FAR + index, {}]))
    const doubted: number[] = []
    const deaths = new DeathLook(watched, {
      isThere: (pid) => {
        asked.push(pid)
        return pid !== FAR + 150
      },
      isRunning: (pid) => pid !== FAR + 5,
      onGone: (pid) => told.push(pid),
      onDoubt: (pid) => doubted.push(pid),
    })
    deaths.look()
    expect({ asked: asked.length, told, doubted }).toEqual({
      ...{ asked: 100, told: [], doubted: [FAR + 5] },
    })
    deaths.look()
    expect({ asked: new Set(asked).size, told }).toEqual({ asked: 200, told: [FAR + 150] })
    deaths.look()
    expect(new Set(asked).size).toBe(240)
    watched.clear()
    deaths.look()
    expect(asked).toHaveLength(300)
  })

  it('[S27] each of a thousand processes is asked after in eight looks, within 2 s', () => {
    const asked: number[] = []
    const watched = new Map(Array.from({ length: 1_000 }, (_, index) => [FAR + index, {}]))
    const calm = { isRunning: () => true, onGone: () => {}, onDoubt: () => {} }
    const deaths = new DeathLook(watched, { ...calm, isThere: (pid) => asked.push(pid) > 0 })
    for (let look = 0; look < 8; look++) deaths.look()
    expect([asked.length, new Set(asked).size]).toEqual([1_000, 1_000])
  })

  itUnless(NO_PROC)('[S27] a death between two listings is reported, too', async () => {
    const { pid = 0 } = run('sleep', ['1000'])
    let looks = 0
    const table: ProcessTable = Object.assign(new ProcTable(), { list: async () => void looks++ })
    const { source, about } = start({ table })
    source.watch('some-agent', pid, startTimeOf(pid))
    await until('it is seen, and listings are missing', () => about(pid)[0] && looks > 5)
    expect(about(pid)).toHaveLength(1)
    process.kill(pid, 'SIGKILL')
    await until('its death is reported', () => about(pid).length > 1)
    expect(about(pid).map(({ alive }) => alive)).toEqual([true, false])
  })

  it('[S12] a shell that becomes the client is found when it has', async () => {
    const base = folder()
    // Both bear the same name: the script, and what it becomes.
    mkdirSync(join(base, 'bin'))
    symlinkSync(realpathSync('/bin/sleep'), join(base, 'bin', 'claude'))
    const script = `#!/bin/sh\nread -r line\nexec ${base}/bin/claude 1000\n`
    writeFileSync(join(base, 'claude'), script, { mode: 0o755 })
    const child = run(join(base, 'claude'), [], { stdio: ['pipe', 'ignore', 'ignore'] })
    const { about } = start()
    await quiet(200)
    expect(about(child.pid)).toEqual([])
    child.stdin?.write('go\n')
    await until('it is found', () => about(child.pid).length === 1)
  })

  it('[S15] tell their config folder, and nothing else of their environment is kept', async () => {
    const config = join(folder(), 'config')
    mkdirSync(config)
    const told: string[] = []
    const { collector, about } = start({ onHome: (_, path) => told.push(path) })
    const env = { ...process.env, CLAUDE_CONFIG_DIR: config, CLAUDE_TOKEN: 'secret' }
    const one = client({ env })
    const relative = client({ env: { ...env, CLAUDE_CONFIG_DIR: 'x', HOME: config } })
    await until('both', () => about(one.pid).length + about(relative.pid).length === 2)
    await until('its folder', () => told.includes(config))
    await until('the folder in its home', () => told.includes(join(config, '.claude')))
    expect(told).not.toContain('x')
    expect(JSON.stringify([collector.arrivals, told])).not.toContain('secret')
  })
})
