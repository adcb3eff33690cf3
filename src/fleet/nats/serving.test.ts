import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { expect, it } from 'vitest'
import { Serving } from './serving.ts'
import { namesOf } from './subjects.ts'

const PART_BYTES = 10_000
const PARTS = 1_000

it('[FL186] no more than 1 MB is on its way to a server that takes it slowly', async () => {
  const flushes: (() => void)[] = []
  let sent = 0
  let onCall: (error: null, message: Msg) => void = () => {}
  const names = namesOf('0123456789abcdef')
  const nats = {
    subscribe: (subject: string, { callback }: { callback: typeof onCall }) => {
      if (subject === `${names.call}.beta`) onCall = callback
      return { unsubscribe: () => {} }
    },
    publish: (_: string, bytes: Uint8Array) => {
      sent += bytes.length
    },
    flush: () => new Promise<void>((resolve) => flushes.push(resolve)),
    isClosed: () => false,
  }
  async function* serve() {
    for (let n = 0; n < PARTS; n++) yield new Uint8Array(PART_BYTES)
  }
  const serving = new Serving({
    ...{ nats: nats as unknown as NatsConnection, names, machine: 'beta', serve },
    onFault: () => {},
  })
  const call = { headers: { get: () => 'alpha.1' }, data: new Uint8Array() }
  onCall(null, call as unknown as Msg)
  for (const taken of [1, 2, 3]) {
    await expect.poll(() => flushes.length).toBe(taken)
    expect(sent).toBe(taken * 1_000_000)
    flushes.at(-1)?.()
  }
  serving.close()
})
