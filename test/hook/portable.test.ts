import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { PortablePath } from '../../lab/live/portable.ts'
import { FolderPolling } from '../../src/platform/folder-polling.ts'
import { openWakePipe } from '../../src/platform/wake-pipe.ts'
import { itUnless, NO_BUSYBOX } from '../support/needs.ts'
import {
  daemonRuns,
  runHook,
  type Stage,
  settled,
  shells,
  silent,
  spooled,
  stage,
  starts,
  until,
} from './support.ts'

const payload = '{"session_id":"a","hook_event_name":"Stop"}\n'

/** As a system without /proc says it. */
function dateOf(pid: number): string {
  const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  return execFileSync('ps', ['-o', 'lstart=', '-p', `${pid}`], { env, encoding: 'utf8' }).trim()
}

describe.each(shells)('a hook without /proc, in %s', (shell) => {
  const startsBy = async (on: Stage) => {
    rmSync(join(on.run, 'starting'), { force: true })
    expect(await runHook(shell, on, { input: payload })).toMatchObject(silent)
    await settled(on)
    return starts(on).length
  }

  it('[PT2] knows a daemon by its pid and its date, to the second', async () => {
    const on = stage()
    daemonRuns(on, process.pid, `${dateOf(process.pid)}   `)
    expect(await startsBy(on)).toBe(0)
    daemonRuns(on, process.pid, 'Sun Nov  1 10:00:00 2026')
    expect(await startsBy(on)).toBe(1)
    daemonRuns(on, 4194305, dateOf(process.pid))
    expect(await startsBy(on)).toBe(2)
  })

  it('[PT2] takes no zombie for a daemon', async () => {
    const on = stage()
    const parent = spawn('/bin/sh', ['-c', 'sleep 0.01 & echo $!; exec sleep 60'])
    onTestFinished(() => void parent.kill())
    let said = ''
    parent.stdout.on('data', (data) => {
      said += data
    })
    await until('its pid', () => said.includes('\n'))
    const pid = Number(said)
    await until('a zombie', () => /^Z/.test(stateOf(pid)))
    daemonRuns(on, pid, dateOf(pid))
    expect(await startsBy(on)).toBe(1)
  })

  it('[PT7] wakes the daemon when its report is complete', async () => {
    const on = stage()
    const polling = new FolderPolling()
    const seen: (boolean | undefined)[] = []
    polling.wake = () => {
      polling.beforeLook()
      seen.push(spooled(on)[0]?.complete)
    }
    const { close } = openWakePipe(on.run, polling)
    onTestFinished(close)
    daemonRuns(on)
    for (const count of [1, 2]) {
      expect(await runHook(shell, on, { input: payload })).toMatchObject(silent)
      await until('the daemon is awake', () => seen.length === count)
    }
    expect(seen).toEqual([true, true])
    expect(existsSync(join(on.run, 'woken'))).toBe(false)
  })

  it('[PT7] never fills the pipe of a daemon that hangs, nor waits for one', async () => {
    const on = stage()
    const { close } = openWakePipe(on.run, new FolderPolling())
    onTestFinished(close)
    // Before the event loop could: earlier writes have no reader.
    writeFileSync(join(on.run, 'woken'), '')
    expect(await runHook(shell, on, { input: payload })).toMatchObject(silent)
    expect(existsSync(join(on.run, 'woken'))).toBe(true)
    close()
    execFileSync('mkfifo', [join(on.run, 'wake')])
    expect(await runHook(shell, on, { input: payload })).toMatchObject(silent)
    expect(await runHook(shell, on, { input: payload })).toMatchObject(silent)
    expect(spooled(on).filter(({ complete }) => complete)).toHaveLength(3)
  })
})

itUnless(NO_BUSYBOX)('[PT8] a hook needs no program of GNU’s', async () => {
  const portable = new PortablePath()
  onTestFinished(() => portable.remove())
  const on = stage()
  const text = readFileSync(on.hook, 'utf8')
  const usual = 'PATH=/usr/bin:/bin:$path\n'
  expect(text).toContain(usual)
  const own = text.replace(usual, `PATH='${portable.folder}'\n`).replace('/proc/uptime', '/none')
  writeFileSync(on.hook, own)
  mkdirSync(join(on.run, 'armed'))
  for (const start of [dateOf(process.pid), 'Sun Nov  1 10:00:00 2026']) {
    daemonRuns(on, process.pid, start)
    expect(await runHook('busybox sh', on, { input: payload })).toMatchObject(silent)
  }
  await until('the start', () => starts(on).length === 1)
  expect(spooled(on).map(({ complete, payload: one }) => [complete, one])).toEqual([
    [true, payload],
    [true, payload],
  ])
})

function stateOf(pid: number): string {
  return execFileSync('ps', ['-o', 'state=', '-p', `${pid}`], { encoding: 'utf8' }).trim()
}
