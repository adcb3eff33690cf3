/**
 * `npm run bench:folders [-- NAME…] [--json]`: what quiet folders cost the daemon, 10,000 of them
 * as a multiple of 10.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMsOf } from './daemon/cpu.ts'
import { Home } from './daemon/home.ts'
import { at, measure } from './limits.ts'

const FEW = 10
const MANY = 10_000
const SECONDS = 15

interface Idle {
  readonly cpuPercent: number
  readonly startMs: number
}

await measure([
  {
    name: 'projects',
    limit: '10,000 project folders: start ≤ 3 s, idle ≤ 1 % of a core or 2 × that of 10',
    run: () => compared(withProjects),
    holds,
  },
  {
    name: 'configs',
    limit: '10,000 config folders that reports name: the same',
    run: () => compared(withConfigs),
    holds,
  },
])

function holds(figures: Readonly<Record<string, number>>): boolean {
  const isCheap = at(figures, 'manyPercent') <= 1 || at(figures, 'ratio') <= 2
  return isCheap && at(figures, 'manyStartMs') <= 3_000
}

async function compared(idle: (folders: number) => Promise<Idle>) {
  const few = await idle(FEW)
  const many = await idle(MANY)
  return {
    fewPercent: few.cpuPercent,
    manyPercent: many.cpuPercent,
    ratio: many.cpuPercent / Math.max(few.cpuPercent, 0.05),
    fewStartMs: few.startMs,
    manyStartMs: many.startMs,
  }
}

/** One config folder with a project for each, and an old transcript in it. */
async function withProjects(folders: number): Promise<Idle> {
  const home = new Home()
  for (let i = 0; i < folders; i++) {
    const folder = join(home.env.HOME, '.claude/projects', `-srv-project-${i}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `old-${i}.jsonl`), '{"type":"summary"}\n')
  }
  const startMs = await startOf(home)
  const cpuPercent = await idleOf(home)
  await home.end()
  return { cpuPercent, startMs }
}

/**
 * Hooks of sessions that name transcripts in as many config folders; every second folder exists.
 */
async function withConfigs(folders: number): Promise<Idle> {
  const home = new Home()
  await home.start()
  for (let i = 0; i < folders; i++) {
    const config = join(home.path, `config-${i}`)
    if (i % 2 === 0) mkdirSync(join(config, 'projects'), { recursive: true })
    const transcript_path = join(config, 'projects/-srv', `s-${i}.jsonl`)
    home.write({ session_id: `s-${i}`, hook_event_name: 'Stop', transcript_path })
  }
  while (readdirSync(home.folders.spool).length > 0) await sleep(50)
  for (let i = 0; i < folders; i++)
    home.write({ session_id: `s-${i}`, hook_event_name: 'SessionEnd', reason: 'other' })
  while (readdirSync(home.folders.spool).length > 0) await sleep(50)
  const before = await idleOf(home)
  const startMs = await startOf(home)
  const after = await idleOf(home)
  await home.end()
  return { cpuPercent: Math.max(before, after), startMs }
}

async function startOf(home: Home): Promise<number> {
  await home.stop()
  const begun = performance.now()
  await home.start()
  return performance.now() - begun
}

/** CPU of an idle daemon, in percent of a core. */
async function idleOf(home: Home): Promise<number> {
  await sleep(3_000)
  const before = cpuMsOf(home.pid)
  await sleep(SECONDS * 1000)
  return (cpuMsOf(home.pid) - before) / (SECONDS * 10)
}
