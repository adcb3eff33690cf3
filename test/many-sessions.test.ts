import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { SESSIONS_MAX } from '../src/core/limits.ts'
import { Sessions } from '../src/core/sessions.ts'
import { Engine } from '../src/daemon/engine.ts'
import { startProgress, writeProgress } from '../src/home/daemon-files.ts'
import { privateFolder } from '../src/home/folders.ts'
import { openStore } from '../src/store/open.ts'
import { StartWait } from '../src/surfaces/cli/start-wait.ts'
import { aCommit, aNew, aReport, aSession, aStore } from './store/samples.ts'
import { DaemonHome } from './support/daemon.ts'
import { OWN_MACHINE } from './support/machines.ts'

const homes: DaemonHome[] = []
afterEach(async () => {
  for (const home of homes.splice(0)) await home.end()
})

function aHome(): DaemonHome {
  const home = new DaemonHome()
  homes.push(home)
  return home
}

const prompt = (id: string) => ({
  session_id: id,
  hook_event_name: 'UserPromptSubmit',
  cwd: '/srv',
})
const posting = (id: string) => ({ report: { source: 'hook' as const, payload: prompt(id) } })

it('[LI3] posted reports begin so many sessions and no more, and go on with those', async () => {
  const home = aHome()
  await home.start()
  const post = (from: number, to: number) =>
    home.client.post(Array.from({ length: to - from }, (_, i) => posting(`s-${from + i}`)))
  // Clients that run on this machine are found, too, and count.
  for (let n = 0; n < 1_900; n += 100) await post(n, n + 100)
  await sleep(1_000)
  await expect(post(1_850, 2_150)).rejects.toMatchObject({ status: 429 })
  await post(1_800, 1_850)
  const { sessions } = await home.client.sessions()
  expect(sessions.filter(({ id }) => id.startsWith('s-'))).toHaveLength(1_900)
})

it('[LI4] a session beyond the bound costs as much as one below it, and not a look at all', () => {
  const sessions = new Sessions()
  const take = (n: number) => {
    const about = { agent: 'claude', session: `s${n}`, folder: `-srv-${n % 7_000}`, pid: n + 1 }
    sessions.take({ kind: 'opened', how: 'startup', at: n, source: 'hook', about })
  }
  const timed = (from: number, count: number) => {
    const begun = performance.now()
    for (let n = from; n < from + count; n++) take(n)
    return performance.now() - begun
  }
  const below = timed(0, SESSIONS_MAX)
  const beyond = timed(SESSIONS_MAX, SESSIONS_MAX)
  // With a look at all for each, 400 million looks: some hundred times as much.
  expect(beyond).toBeLessThan(Math.max(below, 50) * 15)
})

it('[LI4] a start replays the sessions that were heard of last, and no others ever again', () => {
  const store = aStore()
  const total = SESSIONS_MAX + 500
  for (let from = 0; from < total; from += 500) {
    const numbers = Array.from({ length: 500 }, (_, i) => from + i)
    const reports = numbers.map((n) => {
      const report = aReport(n, { payload: prompt(`s-${n}`) })
      return aNew(n, { report, session: `s-${n}` })
    })
    const sessions = numbers.map((n) => aSession(`s-${n}`, { open: true, lastAt: n }))
    store.commit(aCommit({ reports, sessions }))
  }
  const progress: number[] = []
  const options = {
    store,
    machine: OWN_MACHINE,
    host: 'here',
    onTrouble: () => {},
  }
  const engine = new Engine({ ...options, now: () => total })
  expect(engine.replay((done) => progress.push(done))).toBe(SESSIONS_MAX)
  expect(engine.tracker.sessions.facts('s-0')).toBeUndefined()
  expect(engine.tracker.sessions.facts(`s-${total - 1}`)).toBeDefined()
  expect(progress.length).toBeGreaterThan(5)
  expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  expect(store.sessions({ open: true })).toHaveLength(SESSIONS_MAX)
  expect(store.session('s-0')).toMatchObject({ open: false })
  engine.intake.stop()
})

it('[LI5] a command waits for a start that makes progress, and says how far it is', () => {
  const { folders } = aHome()
  privateFolder(folders.run)
  let now = 0
  const said: string[] = []
  const wait = new StartWait(
    folders,
    (words) => said.push(words),
    () => now,
  )
  for (let done = 0; done < 9_000; done += 1_000) {
    writeProgress(folders, { done, of: 9_000 })
    expect(wait.isOver()).toBe(false)
    now += 10_000
  }
  expect(said[3]).toBe('the daemon is starting: 4000 of 9000 sessions…')
  now += 4_000
  expect(wait.isOver()).toBe(false)
  now += 1_500
  expect(wait.isOver()).toBe(true)
})

it('[LI5] a daemon says how far its start is, and no more once it has started', async () => {
  const home = aHome()
  const { store } = openStore(home.folders.database)
  const reports = Array.from({ length: 4_500 }, (_, n) => aNew(n, { key: `hook.${n}@1` }))
  store.commit(aCommit({ reports, sessions: [aSession('one', { open: true })] }))
  store.close()
  const seen: unknown[] = []
  const look = setInterval(() => seen.push(startProgress(home.folders)), 1)
  await home.start()
  clearInterval(look)
  expect(seen).toContainEqual({ done: 1, of: 1 })
  expect(startProgress(home.folders)).toBeUndefined()
})
