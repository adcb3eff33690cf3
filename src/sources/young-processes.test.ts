import { expect, it } from 'vitest'
import { until } from '../../lab/until.ts'
import type { ProcessTable } from '../platform/process-table.ts'
import { ProcessSource } from './processes.ts'

it('[S32] what becomes a client after its start is found without another listing', async () => {
  const pid = 4_000_000
  const found: unknown[] = []
  let looks = 0
  const isClient = () => looks > 3
  const table: ProcessTable = {
    list: async () => (looks++ === 1 ? { pids: new Set([pid]), isWhole: true } : undefined),
    isRunning: () => true,
    glance: () => ({ start: '1', name: isClient() ? 'claude' : 'node', zombie: false }),
    argsOf: async () => [isClient() ? 'claude' : 'node'],
    surroundingsOf: async () => ({ cwd: '/', env: {} }),
  }
  const sink = (arrivals: readonly { readonly report: unknown }[]) =>
    found.push(...arrivals.map(({ report }) => report))
  const source = new ProcessSource({ sink, complain: () => {}, table, lookMs: 10 })
  await source.start()
  await until('it is reported', () => found.length > 0)
  await source.stop()
  expect(found).toMatchObject([{ pid, alive: true, agent: 'claude' }])
})
