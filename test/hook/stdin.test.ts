import { describe, expect, it } from 'vitest'
import {
  begin,
  daemonRuns,
  hasProc,
  left,
  runHook,
  type Stage,
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

// All at once: each case takes its five seconds.
describe.concurrent.each(shells)('stdin that stays open, in %s', (shell) => {
  it('[HK7] is given up after 5 s, and kept only if it ended a line of JSON', async (test) => {
    const inputs = ['', half, payload.trimEnd(), `${half}\n`, payload]
    const stages = inputs.map(() => stage({}, test.onTestFinished))
    for (const on of stages) daemonRuns(on)
    const runs = inputs.map((input, i) => {
      return runHook(shell, stages[i] as Stage, { open: true, input })
    })
    for (const { ms, ...ended } of await Promise.all(runs)) {
      test.expect(ended).toMatchObject(silent)
      test.expect(ms).toBeGreaterThan(STDIN_MAX_MS - 200)
      test.expect(ms).toBeLessThan(STDIN_MAX_MS * 2)
    }
    const kept = stages.map((on) => spooled(on).map((file) => file.complete && file.payload))
    test.expect(kept).toEqual([[], [], [], [], [payload]])
    if (hasProc) test.expect(stages.flatMap(left)).toEqual([])
  })
})

describe.each(shells)('a signal, in %s', (shell) => {
  const signals = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGPIPE'] as const

  it.each(signals)('[HK8] %s while reading does not cost the report', async (signal) => {
    const on = stage()
    daemonRuns(on)
    const { child, ended } = begin(on, command(shell, on.hook), { open: true, input: half })
    await until('half a payload', () => spooled(on)[0]?.payload === half)
    expect(spooled(on)).toMatchObject([{ complete: false }])
    // To each of its processes, as a client that ends its group does.
    for (const pid of hasProc ? left(on) : [child.pid ?? 0]) process.kill(pid, signal)
    child.stdin?.end(payload.slice(half.length))
    expect(await ended).toMatchObject(silent)
    expect(spooled(on)).toMatchObject([{ complete: true, payload }])
    if (hasProc) expect(left(on)).toEqual([])
  })

  it('[HK8] at any moment leaves a complete file or none', async () => {
    const on = stage()
    daemonRuns(on)
    for (let i = 0; i < 60; i++) {
      const { child, ended } = begin(on, command(shell, on.hook), { input: payload })
      setTimeout(() => child.kill('SIGTERM'), i / 5)
      const { code, signal, ms } = await ended
      const mine = spooled(on).filter(({ name }) => name === `hook.${child.pid}`)
      // Before its first line no script can help it.
      const expected = signal === null ? [{ complete: true, payload }] : []
      expect({ code, mine }).toMatchObject({ code: signal === null ? 0 : null, mine: expected })
      expect(ms).toBeLessThan(STDIN_MAX_MS)
    }
    if (hasProc) expect(left(on)).toEqual([])
  })

  it('[HK1] KILL while reading leaves nothing that looks complete', async () => {
    const on = stage()
    daemonRuns(on)
    const { child, ended } = begin(on, command(shell, on.hook), { open: true, input: payload })
    await until('a payload', () => spooled(on)[0]?.payload === payload)
    child.kill('SIGKILL')
    await ended
    expect(spooled(on)).toMatchObject([{ complete: false, name: `hook.${child.pid}` }])
    if (hasProc) for (const pid of left(on)) process.kill(pid, 'SIGKILL')
  })
})

function command(shell: string, script: string): string[] {
  return [...shell.split(' '), script]
}
