import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { ProcTable } from '../../src/platform/proc-table.ts'
import { itUnless, NO_PROC } from '../support/needs.ts'

/** Above every pid. */
const FAR = 2 ** 23

it('[S32] /proc is listed every tenth look, and between them what has begun is read', async () => {
  let lastPid: string | undefined = String(process.pid)
  const table = new ProcTable(() => lastPid)
  const whole: number[] = []
  for (let look = 1; look <= 25; look++) {
    if (look > 22) lastPid = undefined
    const listing = await table.list()
    if (!listing) continue
    expect([process.pid, FAR].map((pid) => listing.pids.has(pid))).toEqual([true, false])
    if (listing.isWhole) whole.push(look)
  }
  expect(whole).toEqual([1, 11, 21, 23, 24, 25])
})

itUnless(NO_PROC)('[S32] a process that has begun is read, and no thread of it', async () => {
  let lastPid = String(process.pid - 1)
  const table = new ProcTable(() => lastPid)
  await table.list()
  lastPid = String(process.pid)
  expect(await table.list()).toEqual({ pids: new Set([process.pid]), isWhole: false })
  const thread = Number(readdirSync('/proc/self/task').find((id) => id !== String(process.pid)))
  lastPid = String(thread - 1)
  await table.list()
  lastPid = String(thread)
  expect((await table.list())?.pids.has(thread)).not.toBe(true)
  // The numbers began again.
  lastPid = '300'
  expect(await table.list()).toMatchObject({ isWhole: true })
})

itUnless(NO_PROC)('[S32] a kernel thread has one name, whatever its task', () => {
  const tasks = new ProcTable().glance(2)
  const isKernels = readFileSync('/proc/2/comm', 'utf8') === 'kthreadd\n'
  expect(tasks?.name === 'kernel thread').toBe(isKernels)
})
