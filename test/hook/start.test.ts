import { spawn } from 'node:child_process'
import { chmodSync, copyFileSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { trustedPath } from '../../src/platform/programs.ts'
import { itUnless, NO_PROC } from '../support/needs.ts'
import {
  daemonRuns,
  hasProc,
  runHook,
  type Stage,
  settled,
  shells,
  silent,
  spooled,
  stage,
  startOf,
  starts,
  until,
} from './support.ts'

const payload = '{"session_id":"a","hook_event_name":"Stop"}\n'

describe.each(shells)('starting the daemon, in %s', (shell) => {
  it('[HK10] the hook starts one when none runs, and does not wait for it', async () => {
    const starter =
      'while ! [ -e "$VIGIL_HOME/go" ]; do sleep 0.05; done; echo end >>"$VIGIL_HOME/starts"'
    const on = stage({ starter })
    expect(await runHook(shell, on, { input: payload })).toMatchObject(silent)
    expect(starts(on)).toEqual([])
    writeFileSync(join(on.folder, 'go'), '')
    await until('the start', () => starts(on).length === 1)
    await settled(on)
  })

  it('[HK10] makes the folder it needs for that', async () => {
    const on = stage()
    rmSync(on.run, { recursive: true, maxRetries: 10 })
    expect(await startsBy(shell, on)).toHaveLength(1)
  })

  it('[HK12] calls it with the variables of a daemon and those of the install', async () => {
    const on = stage()
    const env = {
      PATH: process.env.PATH ?? '',
      CLAUDECODE: '1',
      CLAUDE_PID: '4700',
      CLAUDE_CODE_MESSAGING_TOKEN: 'secret\nCLAUDE_second=line',
      VIGIL_HOME: '/elsewhere',
      LANG: 'en_GB.UTF-8',
      OTHER: 'left out',
    }
    const [start = ''] = await startsBy(shell, on, env)
    expect(start).toContain('args daemon --detach\n')
    expect(start).toContain('cwd /\n')
    expect(start).not.toMatch(/CLAUDE|secret/)
    expect(start).toContain(`VIGIL_HOME=${on.folder}\n`)
    expect(start).toContain(`\nPATH=${trustedPath(env)}\n`)
    expect(start).toContain('LANG=en_GB.UTF-8\n')
    expect(start).not.toContain('OTHER=')
  })

  itUnless(NO_PROC)('[HK12] the daemon heeds the signals that its hook ignores', async () => {
    const note = 'grep SigIgn /proc/self/status; echo end'
    const on = stage({ starter: `{ ${note}; } >>"$VIGIL_HOME/starts"` })
    const [start = ''] = await startsBy(shell, on)
    const ignored = Number.parseInt(start.split(':')[1] ?? '', 16)
    // What runs in a shell's background ignores INT and QUIT by rule.
    const { SIGHUP, SIGPIPE, SIGTERM, SIGXFSZ } = constants.signals
    const heeded = [SIGHUP, SIGPIPE, SIGTERM, SIGXFSZ]
    expect(heeded.map((signal) => ignored & (1 << (signal - 1)))).toEqual([0, 0, 0, 0])
  })

  it('[HK10] a daemon that lives is left alone', async () => {
    const on = stage()
    daemonRuns(on)
    expect(await startsBy(shell, on)).toEqual([])
    daemonRuns(on, process.pid, '-')
    expect(await startsBy(shell, on)).toEqual([])
  })

  it.each([
    ['no process', () => '4194305 17'],
    ['no process, without a start', () => '4194305 -'],
    ['nothing', () => ''],
    ['words', () => 'not a pid'],
    ['every process', () => '-1 -'],
  ])('[HK10] a file that names %s is no daemon', async (_, text) => {
    const on = stage()
    writeFileSync(join(on.run, 'daemon.pid'), text())
    expect(await startsBy(shell, on)).toHaveLength(1)
  })

  itUnless(NO_PROC)('[HK10] a process of another start is no daemon', async () => {
    const on = stage()
    daemonRuns(on, process.pid, `1${startOf(process.pid)}`)
    expect(await startsBy(shell, on)).toHaveLength(1)
  })

  itUnless(NO_PROC)('[HK10] a zombie process is no daemon', async () => {
    const on = stage()
    const zombie = await output(['/bin/sh', '-c', 'sleep 0.01 & echo $!; exec sleep 60'])
    await until('a zombie', () => readFileSync(`/proc/${zombie}/stat`, 'utf8').includes(') Z '))
    daemonRuns(on, zombie)
    expect(await startsBy(shell, on)).toHaveLength(1)
  })

  itUnless(NO_PROC)('[HK10] the name of the process may be anything', async () => {
    const on = stage()
    const odd = join(on.folder, 'a) S 1 (b')
    copyFileSync('/bin/sleep', odd)
    chmodSync(odd, 0o700)
    const pid = await output(['/bin/sh', '-c', 'echo $$; exec "$0" 60', odd])
    await until('its name', () => readFileSync(`/proc/${pid}/stat`, 'utf8').includes('(a) S'))
    daemonRuns(on, pid)
    expect(await startsBy(shell, on)).toEqual([])
  })

  it('[HK11] fifty hooks at once give fifty files and one start', async () => {
    const on = stage()
    const runs = Array.from({ length: 50 }, () => runHook(shell, on, { input: payload }))
    for (const ended of await Promise.all(runs)) expect(ended).toMatchObject(silent)
    await until('a start', () => starts(on).length > 0)
    await settled(on)
    expect(starts(on)).toHaveLength(1)
    expect(spooled(on).filter((file) => file.complete && file.payload === payload)).toHaveLength(50)
  })

  it('[HK11] fifty hooks that find an old try make one of their own', async () => {
    const on = stage()
    guard(on, String(seconds() - 31))
    const runs = Array.from({ length: 50 }, () => runHook(shell, on, { input: payload }))
    await Promise.all(runs)
    await until('a start', () => starts(on).length > 0)
    await settled(on)
    expect(starts(on)).toHaveLength(1)
  })

  it.each([
    ['a fresh one', () => String(seconds() - 20), 0, 0],
    ['an old one', () => String(seconds() - 31), 0, 1],
    ['one of later', () => String(seconds() + 1000), 0, 1],
    ['a fresh one without a time', () => '', 0, 0],
    ['an old one without a time', () => '', 150, 1],
    ['an old one with words', () => 'who knows', 150, 1],
    ['one that is no number to a shell', () => '09', 0, 0],
  ])('[HK11] a try to start holds for 30 s: %s', async (_, text, agoS, expected) => {
    const on = stage()
    guard(on, text(), agoS)
    expect(await startsBy(shell, on)).toHaveLength(expected)
  })

  it('[HK11] a start that fails is not tried again at once', async () => {
    const on = stage({ starter: 'echo end >>"$VIGIL_HOME/starts"; exit 1' })
    for (let i = 0; i < 5; i++) await runHook(shell, on, { input: payload })
    await settled(on)
    expect(starts(on)).toHaveLength(1)
  })

  it('[HK11] a replacement that was cut short is forgotten after 30 s', async () => {
    const on = stage()
    guard(on, String(seconds() - 100))
    writeFileSync(join(on.run, 'starting.old'), String(seconds() - 50))
    expect(await startsBy(shell, on)).toHaveLength(0)
    expect(await startsBy(shell, on)).toHaveLength(1)
  })
})

async function startsBy(shell: string, on: Stage, env?: Record<string, string>): Promise<string[]> {
  const options = { cwd: on.folder, input: payload, ...(env && { env }) }
  expect(await runHook(shell, on, options)).toMatchObject(silent)
  await settled(on)
  return starts(on)
}

function guard(on: Stage, text: string, agoS = 0): void {
  const path = join(on.run, 'starting')
  writeFileSync(path, text)
  utimesSync(path, Date.now() / 1000 - agoS, Date.now() / 1000 - agoS)
}

/** The clock the hook takes: one that cannot be set, where there is one. */
function seconds(): number {
  return hasProc
    ? Math.floor(Number.parseFloat(readFileSync('/proc/uptime', 'utf8')))
    : Date.now() / 1000
}

/** The number that a process says first; the process ends with the test. */
function output([program = '', ...args]: readonly string[]): Promise<number> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return new Promise((resolve) => child.stdout.once('data', (data) => resolve(Number(data))))
}
