import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  begin,
  daemonRuns,
  hasProc,
  left,
  runHook,
  shells,
  silent,
  spooled,
  stage,
  until,
} from './support.ts'

const payload = '{"session_id":"a","hook_event_name":"Stop"}\n'
const half = payload.slice(0, 20)

/** As in hook/vigil-hook. */
const STDIN_MAX_MS = 5000

describe.concurrent.each(shells)('stdin that stays open, in %s', (shell) => {
  it('[HK7] is given up after 5 s with nothing on it', async ({ expect, onTestFinished }) => {
    const on = stage({}, onTestFinished)
    const { ms, ...ended } = await runHook(shell, on, { open: true })
    expect(ended).toEqual(silent)
    expect(ms).toBeGreaterThan(STDIN_MAX_MS - 200)
    expect(ms).toBeLessThan(STDIN_MAX_MS * 2)
    expect(spooled(on)).toEqual([])
  })

  it('[HK7] is dropped with half a payload on it', async ({ expect, onTestFinished }) => {
    const on = stage({}, onTestFinished)
    expect(await runHook(shell, on, { open: true, input: half })).toMatchObject(silent)
    expect(spooled(on)).toEqual([])
  })

  it('[HK7] keeps a payload that ended its line', async ({ expect, onTestFinished }) => {
    const on = stage({}, onTestFinished)
    expect(await runHook(shell, on, { open: true, input: payload })).toMatchObject(silent)
    expect(spooled(on)).toMatchObject([{ complete: true, payload }])
  })

  it.runIf(hasProc)('[HK9] leaves no process', async ({ expect, onTestFinished }) => {
    const on = stage({}, onTestFinished)
    daemonRuns(on)
    await runHook(shell, on, { open: true, input: half })
    expect(left(on)).toEqual([])
  })
})

describe.each(shells)('a signal, in %s', (shell) => {
  const signals = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGPIPE'] as const
  it.each(signals)('[HK8] %s while reading ends it at once, without a file', async (signal) => {
    const on = stage()
    daemonRuns(on)
    const { child, ended } = begin(on, command(shell, on.hook), { open: true, input: half })
    await until('half a payload', () => spooled(on)[0]?.payload === half)
    expect(spooled(on)).toMatchObject([{ complete: false }])
    child.kill(signal)
    const { ms, ...rest } = await ended
    expect(rest).toEqual(silent)
    expect(ms).toBeLessThan(STDIN_MAX_MS)
    expect(spooled(on)).toEqual([])
    if (hasProc) expect(left(on)).toEqual([])
  })

  it('[HK8] at any moment leaves a complete file or none', async () => {
    const on = stage()
    daemonRuns(on)
    for (let i = 0; i < 40; i++) {
      const { child, ended } = begin(on, command(shell, on.hook), { input: payload })
      setTimeout(() => child.kill('SIGTERM'), i / 8)
      const { signal } = await ended
      const mine = spooled(on).filter(({ name }) => name === `hook.${child.pid}`)
      // Before its first line no shell can help it; from then on nothing half may stay.
      if (signal === null) expect(mine.every(({ complete }) => complete)).toBe(true)
      expect(mine.every((file) => !file.complete || file.payload === payload)).toBe(true)
    }
    if (hasProc) await until('processes to end', () => left(on).length === 0)
  })

  it('[HK1] KILL while reading leaves nothing that looks complete', async () => {
    const on = stage()
    daemonRuns(on)
    const { child, ended } = begin(on, command(shell, on.hook), { open: true, input: payload })
    await until('a payload', () => spooled(on)[0]?.payload === payload)
    child.kill('SIGKILL')
    await ended
    expect(spooled(on)).toMatchObject([{ complete: false, name: `hook.${child.pid}` }])
    if (hasProc) await until('processes to end', () => left(on).length === 0)
  })
})

function command(shell: string, script: string): string[] {
  return [...shell.split(' '), join(script)]
}
