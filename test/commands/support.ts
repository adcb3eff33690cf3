import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from '../../src/client/client.ts'
import type { Report } from '../../src/core/signal.ts'
import { createApp } from '../../src/daemon/api/app.ts'
import { Subscribers } from '../../src/daemon/api/event-stream.ts'
import { Gate } from '../../src/daemon/api/gate.ts'
import { listen } from '../../src/daemon/api/server.ts'
import { newToken } from '../../src/daemon/api/token.ts'
import { Engine } from '../../src/daemon/engine.ts'
import { LiveSettings } from '../../src/daemon/live-settings.ts'
import { LocalDaemonApi } from '../../src/daemon/local-daemon-api.ts'
import { openLog } from '../../src/daemon/log.ts'
import { loopServiceOf } from '../../src/daemon/loops/service.ts'
import { LocalPanes } from '../../src/daemon/panes/panes.ts'
import { LoggedActs } from '../../src/daemon/requests/acts.ts'
import { AgentServers } from '../../src/daemon/requests/agent-servers.ts'
import { AnswerSwitch } from '../../src/daemon/requests/answer-switch.ts'
import { AnswerableRequests } from '../../src/daemon/requests/answerable.ts'
import { requestServiceOf } from '../../src/daemon/requests/service.ts'
import { WaitPipes } from '../../src/daemon/requests/waiting-hooks.ts'
import { Troubles } from '../../src/daemon/troubles.ts'
import { foldersOf, privateFolder } from '../../src/home/folders.ts'
import { openStore } from '../../src/store/open.ts'
import { OWN_MACHINE } from '../support/machines.ts'
import { noFleet } from '../support/no-fleet.ts'

const VIGIL = fileURLToPath(new URL('../../bin/vigil.js', import.meta.url))

export interface Ended {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  readonly lines: readonly string[]
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly input?: string
  readonly cwd?: string
}

/** The command as its user runs it. The parent stays free: it may be the one that answers. */
export function vigilIn(home: string, args: readonly string[], options: RunOptions = {}) {
  return run(process.execPath, [VIGIL, ...args], {
    ...options,
    env: { ...process.env, VIGIL_HOME: home, ...options.env },
  })
}

export function run(
  command: string,
  args: readonly string[],
  { env = process.env, input = '', cwd }: RunOptions,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, ...(cwd !== undefined && { cwd }) })
    const out = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (chunk) => {
        out[name] += chunk
      })
    child.on('error', reject)
    child.on('close', (status) =>
      resolve({ status, ...out, lines: out.stdout.split('\n').slice(0, -1) }),
    )
    // A program that does not read its input has closed it.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

/** A daemon but for its sources and its clock, both of which are the recording's. */
export async function startEngine() {
  const home = mkdtempSync(join(tmpdir(), 'vigil-commands-'))
  const folders = foldersOf({ VIGIL_HOME: home })
  for (const folder of [folders.data, folders.state, folders.run]) privateFolder(folder)
  const { store } = openStore(folders.database)
  const clock = { now: 0 }
  const engine = new Engine({
    store,
    ...{ machine: OWN_MACHINE, host: 'here' },
    now: () => clock.now,
    onTrouble: (error) => {
      if (error) throw error
    },
  })
  const troubles = new Troubles(openLog(folders.log))
  const watching = { homes: [] }
  const database = folders.database
  const complain = () => {}
  const settings = new LiveSettings(folders, () => {})
  const open = new AnswerableRequests(new AnswerSwitch(), new WaitPipes(folders, complain))
  const acts = new LoggedActs(store.acts, Date.now)
  const panes = new LocalPanes({ session: (id) => engine.look(id), acts, now: Date.now, complain })
  const table = store.acts
  const shared = { engine, folders, env: {}, complain, acts }
  const servers = new AgentServers()
  const service = requestServiceOf({ ...shared, open, table, settings, panes, servers })
  const { requests } = service
  const end = () => {}
  const { loops } = loopServiceOf({ ...shared, storage: store.loops, prompts: panes.ofLoops })
  const parts = { engine, store, watching, troubles, loops, requests, acts, panes, database, end }
  const fleet = new LocalDaemonApi({ ...parts, fleet: noFleet() })
  const gate = new Gate(() => {})
  const subscribers = new Subscribers()
  const listening = await listen({
    app: (door) => createApp(fleet, door, { complain: () => {}, gate, subscribers }),
    gate,
    token: newToken(folders.token),
    socket: folders.socket,
    port: 0,
    onClose: () => subscribers.close(),
  })
  const play = (reports: readonly Report[], tailMs = 0) => {
    for (const report of reports) {
      clock.now = Math.max(clock.now, report.t)
      engine.take([{ report }])
      engine.intake.flush()
    }
    clock.now += tailMs
    engine.intake.flush()
  }
  return {
    home,
    folders,
    engine,
    store,
    watching,
    troubles,
    play,
    client: connect(folders),
    vigil: (...args: string[]) => vigilIn(home, args),
    close: async () => {
      await listening.close(100)
      service.close()
      settings.close()
      panes.close()
      engine.intake.stop()
      store.close()
      rmSync(home, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
