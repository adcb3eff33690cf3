/**
 * `npm run bench:start [-- --json]`: how long a start takes with many open sessions in the log, as
 * after a flood of posted reports.
 */
import { openStore } from '../src/store/open.ts'
import { cpuMsOf } from './daemon/cpu.ts'
import { Home } from './daemon/home.ts'
import { at, measure } from './limits.ts'

const FEW = 3_000
const MANY = 50_000

await measure([
  {
    name: 'start',
    limit: '50,000 open sessions in the log: ≤ 5 s of CPU, and ≤ 1.5 × in proportion to 3,000',
    run: async () => {
      const few = await startWith(FEW)
      const many = await startWith(MANY)
      const ratio = many.cpuMs / few.cpuMs
      return {
        ...{ fewCpuMs: few.cpuMs, manyCpuMs: many.cpuMs, ratio, sessionsRatio: MANY / FEW },
        ...{ fewMs: few.tookMs, manyMs: many.tookMs },
      }
    },
    holds: (figures) =>
      at(figures, 'manyCpuMs') <= 5_000 &&
      at(figures, 'ratio') <= at(figures, 'sessionsRatio') * 1.5,
  },
])

/** CPU time beside the elapsed time, which says little on a busy machine. */
async function startWith(sessions: number) {
  const home = new Home()
  fill(home.folders.database, sessions)
  const begun = performance.now()
  await home.start()
  const tookMs = performance.now() - begun
  const cpuMs = cpuMsOf(home.pid)
  await home.end()
  return { tookMs, cpuMs }
}

/** Each with a prompt and the verdict of that time. */
function fill(database: string, sessions: number): void {
  const { store } = openStore(database)
  const now = Date.now() - 60_000
  const base = store.lastChangeId() + 1
  for (let from = 0; from < sessions; from += 1_000) {
    const numbers = Array.from({ length: Math.min(1_000, sessions - from) }, (_, i) => from + i)
    store.commit({
      reports: numbers.map((n) => {
        const payload = { session_id: `s-${n}`, hook_event_name: 'UserPromptSubmit', cwd: '/srv' }
        return {
          report: { t: now, source: 'hook', payload },
          session: `s-${n}`,
          key: `hook.${n}@${n}`,
        }
      }),
      changes: numbers.map((n) => ({
        id: base + n,
        t: now,
        session: `s-${n}`,
        kind: 'verdict' as const,
        verdict: {
          session: `s-${n}`,
          state: 'working' as const,
          since: now,
          rule: ['T', '1'].join(''),
          reason: 'a turn is open',
          grounds: [],
          unread: false,
          typing: false,
          tasks: [],
          details: { cwd: '/srv' },
        },
      })),
      sessions: numbers.map((n) => ({
        id: `s-${n}`,
        host: 'here',
        agent: 'claude',
        state: 'working',
        firstAt: now,
        lastAt: now,
        open: true,
        parent: undefined,
        body: { id: `s-${n}`, state: 'working', since: now },
      })),
      cursors: [],
      renamed: [],
    })
  }
  store.close()
}
