/**
 * `node bench/waiting.ts [50]`: this many dialogs whose hooks wait in a real daemon: the memory of
 * the blocked shells, the daemon's usage, and how long the answers to all of them take.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuMsOf } from '../test/support/cpu.ts'
import { DaemonHome } from '../test/support/daemon.ts'
import { hookAsks } from '../test/support/hook-asks.ts'

const COUNT = Number(process.argv[2] ?? 50)
const WATCHED_MS = 10_000

const home = new DaemonHome()
try {
  const daemon = await home.start()
  const idle = await cpuIn(daemon.pid)
  const hooks = []
  for (let n = 0; n < COUNT; n++)
    hooks.push(await hookAsks(home, `s${n}`, 'Bash', { command: 'ls' }))
  await sleep(2_000)
  const waiting = await cpuIn(daemon.pid)
  const shells = hooks.map(({ pid }) => memoryOf(pid))
  const began = performance.now()
  const { requests } = await home.client.requests()
  for (const { id, digest: shown } of requests)
    await home.client.answer(id, { choice: 'allow', where: 'cli', shown })
  const said = await Promise.all(hooks.map((hook) => hook.said))
  const figures = {
    hooks: COUNT,
    shellCpuMs: sum(shells.map(({ cpuMs }) => cpuMs)),
    shellPssKb: Math.round(sum(shells.map(({ pssKb }) => pssKb)) / COUNT),
    shellOwnKb: Math.round(sum(shells.map(({ ownKb }) => ownKb)) / COUNT),
    daemonCpuMsIn10s: { idle, waiting },
    answered: said.filter((text) => text.includes('"allow"')).length,
    allAnsweredMs: Math.round(performance.now() - began),
  }
  for (const hook of hooks) hook.end()
  process.stdout.write(`${JSON.stringify(figures)}\n`)
} finally {
  await home.end()
}

async function cpuIn(pid: number): Promise<number> {
  const before = cpuMsOf(pid)
  await sleep(WATCHED_MS)
  return cpuMsOf(pid) - before
}

function memoryOf(pid: number) {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const kb = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(text)?.[1])
  const ownKb = kb('Private_Clean') + kb('Private_Dirty')
  return { pssKb: kb('Pss'), ownKb, cpuMs: cpuMsOf(pid) }
}

function sum(all: readonly number[]): number {
  return all.reduce((total, one) => total + one, 0)
}
