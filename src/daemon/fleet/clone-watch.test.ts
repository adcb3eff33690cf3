import { expect, it } from 'vitest'
import { TransportError } from '../../fleet/transport.ts'
import { CloneWatch } from './clone-watch.ts'

const OWN = `m${'a1'.repeat(12)}`

/** A machine that calls its own id, and what it says of it. */
function watchWith(answers: boolean) {
  const troubles: (string | undefined)[] = []
  const watch = new CloneWatch({
    about: () => ({ name: 'box', version: '1', run: 'second', startedAt: 2, troubles: [] }),
    now: () => 1_000,
    onTrouble: (_, what) => troubles.push(what),
    membership: { machine: OWN, seal: () => Buffer.from('call') } as never,
    transport: {
      async *call() {
        if (!answers) throw new TransportError('offline', 'no machine')
        yield Buffer.from('reply')
      },
    } as never,
  })
  return { watch, troubles }
}

it('[FL142] a machine whose own id answers shares nothing, and says so', async () => {
  const { watch, troubles } = watchWith(true)
  await watch.askSelf()
  expect(watch.mayPublish()).toBe(false)
  expect(troubles.at(-1)).toMatch(/nothing is shared from here/)
})

it('[FL142] a machine whose id is free publishes, and says nothing', async () => {
  const { watch, troubles } = watchWith(false)
  await watch.askSelf()
  expect([watch.mayPublish(), troubles.at(-1)]).toEqual([true, undefined])
})

it('[FL142] the first of two says so, and goes on', async () => {
  const { watch, troubles } = watchWith(false)
  const beat = { name: 'box', version: '1', run: 'third', startedAt: 3, troubles: [] }
  for (const at of [1, 2])
    watch.sawBeat({ ...beat, isEnding: false, rows: 0, digest: '', at, isOld: false })
  watch.tell()
  expect(watch.mayPublish()).toBe(true)
  expect(troubles.at(-1)).toMatch(/uses this machine’s id/)
})
