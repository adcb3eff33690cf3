import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Home } from '../daemon/home.ts'
import { packageFolder } from '../daemon/package.ts'
import { residentMb } from '../daemon/resident.ts'
import { until } from './delay.ts'
import { FleetStage, machineOf } from './stage.ts'

const MEMBERS = 3
const SESSIONS = 10
const BEAT_S = 5
/** A short look: `FLEET_IDLE_S=30`. */
const SECONDS = Number(process.env.FLEET_IDLE_S ?? 180)

/** What an idle fleet costs a daemon, beside the same daemon in no fleet, and what it sends. */
export async function idle() {
  const built = await packageFolder()
  const command = join(built, 'bin/vigil.js')
  const alone = new Home(command)
  const homes = Array.from({ length: MEMBERS }, () => new Home(command))
  const machines = homes.map(({ folders }) => machineOf(folders))
  const stage = await FleetStage.start(machines)
  try {
    for (const [at, home] of homes.entries()) stage.write(home.folders, machines[at] ?? '')
    for (const home of [alone, ...homes]) await begun(home)
    await agreed(homes)
    await sleep(15_000)
    // The founder also hears those who want to join; the last one is a member as others are.
    const member = homes.at(-1) ?? alone
    const [before, sent] = [[alone, member].map(({ pid }) => cpuMsOf(pid)), await stage.sent()]
    await sleep(SECONDS * 1000)
    const after = [alone, member].map(({ pid }) => cpuMsOf(pid))
    const share = (at: number) => ((after[at] ?? 0) - (before[at] ?? 0)) / (SECONDS * 10)
    return {
      seconds: SECONDS,
      ...{ alonePercent: share(0), memberPercent: share(1), morePercent: share(1) - share(0) },
      ...memory(alone, member),
      ...messages(sent, await stage.sent()),
    }
  } finally {
    for (const home of [alone, ...homes]) await home.end()
    await stage.end()
    rmSync(built, { recursive: true, force: true })
  }
}

async function begun(home: Home): Promise<void> {
  await home.start()
  for (let n = 0; n < SESSIONS; n++) {
    const session = { session_id: `idle-${n}`, cwd: `/home/ada/project-${n}` }
    home.write({ ...session, hook_event_name: 'SessionStart', source: 'startup' })
    home.write({ ...session, hook_event_name: 'UserPromptSubmit', prompt: 'x' })
    home.write({ ...session, hook_event_name: 'Stop' })
  }
  await until(() => readdirSync(home.folders.spool).length === 0)
}

/** Every machine shows the sessions of all. */
async function agreed(homes: readonly Home[]): Promise<void> {
  for (const home of homes)
    await until(async () => {
      const { sessions } = await home.client.sessions()
      return sessions.filter(({ stale }) => stale === null).length >= MEMBERS * SESSIONS
    })
}

function memory(alone: Home, member: Home) {
  const [aloneMb, memberMb] = [residentMb(alone.pid), residentMb(member.pid)]
  return { aloneMb, memberMb, moreMb: memberMb - aloneMb }
}

/** By machine, in the time in which it was due to send one heartbeat. */
function messages(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>) {
  const sent = [...after].map(([key, count]) => count - (before.get(key) ?? 0))
  const beats = SECONDS / BEAT_S
  return {
    machines: after.size,
    beats,
    leastSent: Math.min(...sent),
    mostSent: Math.max(...sent),
  }
}

/** All threads, in nanoseconds of the scheduler: an idle daemon uses less than a tick a second. */
function cpuMsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => {
    const [ran = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return Number(ran) / 1e6
  })
  return threads.reduce((sum, ms) => sum + ms, 0)
}
