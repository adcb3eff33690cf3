import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { cpuMsOf } from '../daemon/cpu.ts'
import { Home, percentile } from '../daemon/home.ts'
import { packageFolder } from '../daemon/package.ts'
import { residentMb } from '../daemon/resident.ts'
import { lateness } from '../lateness.ts'
import type { watched } from '../tui/watched.ts'
import type { MachinesWanted } from './machines.ts'
import { FleetStage, machineOf } from './stage.ts'

const MACHINES = Number(process.env.FLEET_MACHINES ?? 1_000)
const SESSIONS = 30
const PER_SECOND = 1_000
const SECONDS = 10

/** The whole fleet at one viewer: how soon it is shown, and what its changes cost. */
export async function size() {
  const built = await packageFolder()
  const home = new Home(join(built, 'bin/vigil.js'))
  const viewer = machineOf(home.folders)
  const machines = Array.from({ length: MACHINES }, (_, n) => `m${String(n).padStart(24, '0')}`)
  const stage = await FleetStage.start([...machines, viewer])
  const children: ChildProcess[] = []
  try {
    const publishers = await publishing(stage, machines, viewer, home.path)
    children.push(publishers)
    stage.write(home.folders, viewer)
    const view = program(
      new URL('viewer.ts', import.meta.url),
      ['200', '60', SECONDS, MACHINES * SESSIONS],
      home.env,
    )
    children.push(view)
    await once(view, 'message')
    const shown = await shownAfter(home, view)
    publishers.send({ perSecond: PER_SECOND })
    await sleep(3_000)
    return { ...shown, ...(await steady(home, view)) }
  } finally {
    for (const child of children) child.kill()
    await home.end()
    await stage.end()
    rmSync(built, { recursive: true, force: true })
  }
}

async function publishing(
  stage: FleetStage,
  machines: readonly string[],
  viewer: string,
  folder: string,
) {
  const [founder = ''] = machines
  const wanted: MachinesWanted = {
    founder: stage.stateOf(founder),
    machines: machines.map((machine) => ({ machine, keys: stage.keysOf(machine) })),
    sessions: SESSIONS,
    members: [[viewer, stage.keysOf(viewer).signPublic]],
  }
  const file = join(folder, 'machines.json')
  writeFileSync(file, JSON.stringify(wanted), { mode: 0o600 })
  const publishers = program(new URL('machines.ts', import.meta.url), [file], process.env)
  await once(publishers, 'message')
  return publishers
}

/** From the start of the daemon. */
async function shownAfter(home: Home, view: ChildProcess) {
  const begun = Date.now()
  await home.start()
  const startedMs = Date.now() - begun
  view.send('go')
  const [{ completeAt }] = await once(view, 'message')
  const [{ drawnAt }] = await once(view, 'message')
  const cpuMs = cpuMsOf(home.pid)
  return { startedMs, completeMs: completeAt - begun, drawnMs: drawnAt - begun, startCpuMs: cpuMs }
}

async function steady(home: Home, view: ChildProcess) {
  const idle = lateness()
  const [cpuMs, begun] = [cpuMsOf(home.pid), performance.now()]
  view.send('measure')
  const [{ figures, delays }] = (await once(view, 'message')) as [Measured]
  const seconds = (performance.now() - begun) / 1000
  const daemonPercent = (cpuMsOf(home.pid) - cpuMs) / (seconds * 10)
  const sorted = delays.toSorted((a, b) => a - b)
  const { calm, busy, medianMs, p99Ms } = figures
  const result = {
    changesPerSecond: delays.length / seconds,
    daemonPercent,
    daemonMb: residentMb(home.pid),
    viewPercent: calm.cpuPercent,
    viewBusyPercent: busy.cpuPercent,
    framesPerSecond: busy.framesPerSecond,
    keyMedianMs: medianMs,
    keyP99Ms: p99Ms,
    viewMb: residentMb(view.pid ?? 0),
    delayMedianMs: percentile(sorted, 0.5),
    delayP99Ms: percentile(sorted, 0.99),
    machineP99Ms: await idle(),
  }
  view.send('end')
  return result
}

interface Measured {
  readonly figures: Awaited<ReturnType<typeof watched>>
  readonly delays: readonly number[]
}

function program(path: URL, args: readonly (string | number)[], env: NodeJS.ProcessEnv) {
  return fork(fileURLToPath(path), args.map(String), { env })
}
