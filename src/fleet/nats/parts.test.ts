import { headers, type Msg } from '@nats-io/transport-node'
import { expect, it } from 'vitest'
import { type PartKind, PartQueue, partHeaders } from './parts.ts'

const message = (number: number, kind: PartKind, data: Uint8Array = new Uint8Array()) =>
  ({ headers: partHeaders(number, kind), data }) as unknown as Msg

/** How many messages are kept for a caller that reads none of them. */
function keptOf(kind: PartKind, data?: Uint8Array): number {
  const queue = new PartQueue()
  let kept = 0
  while (kept < 100_000) {
    queue.take(message(kept, kind, data))
    if (queue.isOver) break
    kept += 1
  }
  return kept
}

it.each(['more', 'part'] as const)(
  '[FL164] endless messages of kind %s without content are refused',
  (kind) => expect(keptOf(kind)).toBe(32_768),
)

it('[FL164] what a caller has not read is at most 32 MB', () => {
  expect(keptOf('part', new Uint8Array(1_000_000))).toBe(33)
})

it('[FL68] what was read makes room', async () => {
  const queue = new PartQueue()
  const half = new Uint8Array(500_000)
  for (let n = 0; n < 200; n += 2) {
    queue.take(message(n, 'more', half))
    queue.take(message(n + 1, 'part', half))
    expect(await queue.next(1_000)).toHaveLength(1_000_000)
  }
  queue.take(message(200, 'end'))
  expect(await queue.next(1_000)).toBeUndefined()
})

it('[FL69] nothing that serves a subject is offline', async () => {
  const queue = new PartQueue()
  const none = { headers: Object.assign(headers(), { _code: 503 }), data: new Uint8Array() }
  queue.take(none as unknown as Msg)
  await expect(queue.next(1_000)).rejects.toMatchObject({ fault: 'offline' })
})
