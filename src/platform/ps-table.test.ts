import { expect, it } from 'vitest'
import { PsTable } from './ps-table.ts'

const KNOWN = [process.pid, process.ppid]

/** A table whose `ps` lists both, with the times and arguments of its calls. */
function asked() {
  let nowMs = 0
  let state = 'S'
  const runs: string[] = []
  const table = new PsTable(
    () => nowMs,
    async (program, args) => {
      runs.push(`${nowMs} ${[program, ...args].join(' ')}`)
      const row = (pid: number) => `${pid} Sun Nov  1 10:00:00 2026 ${state} 501 claude --resume x`
      return KNOWN.map(row).join('\n')
    },
  )
  /** Like the source: a listing a second, a close look at each four times a second. */
  const pass = async (seconds: number, isBusy: boolean, known = KNOWN) => {
    const before = runs.length
    for (const end = nowMs + seconds * 1000; nowMs < end; nowMs += 250) {
      if (nowMs % 1000 === 0) await table.list(known, isBusy)
      for (const _ of known) table.isRunning()
    }
    return runs.slice(before)
  }
  const become = (word: string) => {
    state = word
  }
  return { table, pass, become }
}

it('[PT3] ps is run once for all processes, each ten seconds while no agent is busy', async () => {
  const { pass } = asked()
  expect(await pass(30, false)).toHaveLength(3)
  expect(await pass(30, false, [])).toHaveLength(3)
})

it('[PT3] twice a second while an agent is busy, about the known processes alone', async () => {
  const { pass } = asked()
  await pass(1, false)
  const runs = await pass(9, true)
  expect(runs).toHaveLength(18)
  expect(runs.every((run) => run.includes(` -p ${KNOWN.join(',')} `))).toBe(true)
})

it('[PT3] within a second when a process is named that was not seen yet', async () => {
  const { pass } = asked()
  await pass(1, false)
  expect(await pass(3, false, [...KNOWN, 4711])).toHaveLength(3)
})

it('[PT3] a zombie is seen by the next glance', async () => {
  const { table, pass, become } = asked()
  await pass(1, true)
  expect(table.glance(process.pid)).toMatchObject({ name: 'claude', zombie: false })
  become('Z')
  await pass(1, true)
  expect(table.glance(process.pid)?.zombie).toBe(true)
})

it('[PT2] each column is an option of its own, in English and in UTC', async () => {
  const { pass } = asked()
  const [run = ''] = await pass(1, false)
  expect(run).toBe('0 ps -axww -o pid= -o lstart= -o state= -o uid= -o command=')
})
