import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { sessionWith } from '../../../test/notify/support.ts'
import { ChannelError } from './channel.ts'
import { ChannelQueue } from './channel-queue.ts'
import { messageOf } from './message.ts'

const message = (id: string) => messageOf(id, 0, [sessionWith()], { hideSecrets: false })

/** A channel that does what the test says, and the calls it got. */
function scene(answers: (() => Promise<string | undefined>)[] = []) {
  const asked: string[] = []
  const troubles: (string | undefined)[] = []
  const channel = {
    send: ({ id }: { id: string }) => {
      asked.push(id)
      return answers.shift()?.() ?? Promise.resolve('receipt')
    },
    withdraw: async ({ id }: { id: string }, receipt: string | undefined) => {
      asked.push(`-${id} ${receipt}`)
    },
  }
  const lane = new ChannelQueue({ channel, onTrouble: (what) => troubles.push(what) })
  return { asked, troubles, lane }
}

const fails = (isPassing: boolean, afterMs?: number) => () =>
  Promise.reject(new ChannelError('is down', isPassing, afterMs))
const hangs = () => new Promise<undefined>(() => {})
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('a channel that hangs', () => {
  it('[NO20] is cut off after 10 s, delays no caller, and its failure is reported', async () => {
    const { asked, troubles, lane } = scene([hangs])
    lane.send(message('a'))
    lane.send(message('b'))
    await pass(9_999)
    expect([asked, troubles]).toEqual([['a'], []])
    await pass(1)
    expect(troubles).toEqual(['gave no answer within 10 s; tried 1×, vigil tries again'])
    await pass(1_000)
    expect(asked).toEqual(['a', 'a', 'b'])
    expect(troubles.at(-1)).toBeUndefined()
  })

  it('[NO20] gets the signal to stop, and its later result is ignored', async () => {
    const signals: AbortSignal[] = []
    const late = Promise.withResolvers<string | undefined>()
    const asked: string[] = []
    const channel = {
      send: ({ id }: { id: string }, signal: AbortSignal) => {
        signals.push(signal)
        asked.push(id)
        return asked.length === 1 ? late.promise : Promise.resolve(undefined)
      },
    }
    const lane = new ChannelQueue({ channel, onTrouble: () => {} })
    lane.send(message('a'))
    await pass(10_000)
    expect(signals[0]?.aborted).toBe(true)
    late.reject(new Error('much later'))
    await pass(1_000)
    expect(asked).toEqual(['a', 'a'])
  })
})

describe('a channel that fails', () => {
  it('[NO21] is tried again after 1, 5, 30, 120 and 600 s, then given up', async () => {
    const { asked, troubles, lane } = scene(Array.from({ length: 6 }, () => fails(true)))
    lane.send(message('a'))
    for (const [index, seconds] of [1, 5, 30, 120, 600].entries()) {
      await pass(seconds * 1_000 - 1)
      expect(asked).toHaveLength(index + 1)
      await pass(1)
      expect(asked).toHaveLength(index + 2)
    }
    await pass(3_600_000)
    expect(asked).toHaveLength(6)
    expect(troubles.at(-1)).toBe('is down')
  })

  it('[NO21] for good is not tried again, and the next message is', async () => {
    const { asked, troubles, lane } = scene([fails(false)])
    lane.send(message('a'))
    lane.send(message('b'))
    await pass(0)
    expect(asked).toEqual(['a', 'b'])
    expect(troubles).toEqual(['is down', undefined])
  })

  it('[NO21] and says when it wants to be asked is asked then, an hour later at most', async () => {
    const { asked, lane } = scene([fails(true, 20_000), fails(true, 86_400_000)])
    lane.send(message('a'))
    await pass(19_999)
    expect(asked).toHaveLength(1)
    await pass(1)
    expect(asked).toHaveLength(2)
    await pass(3_600_000)
    expect(asked).toHaveLength(3)
  })

  it('[NO22] keeps the newest twenty messages, and says that others were not told', async () => {
    const { asked, troubles, lane } = scene([fails(true)])
    lane.send(message('first'))
    await pass(0)
    for (let n = 0; n < 30; n++) lane.send(message(`m${n}`))
    expect(lane.waiting).toBe(20)
    expect(troubles.at(-1)).toMatch(/^the queue is full: .* was not sent$/)
    await pass(1_000)
    expect(asked.slice(1)).toEqual(Array.from({ length: 20 }, (_, n) => `m${n + 10}`))
  })

  it('[NO20] by a fault of ours costs one message', async () => {
    const { asked, troubles, lane } = scene([() => Promise.reject(new TypeError('x of undefined'))])
    lane.send(message('a'))
    lane.send(message('b'))
    await pass(0)
    expect(asked).toEqual(['a', 'b'])
    expect(troubles[0]).toBe('failed: x of undefined')
  })
})

describe('withdrawing', () => {
  it('[NO23] retracts a sent message by the receipt of the channel', async () => {
    const { asked, lane } = scene()
    lane.send(message('a'))
    await pass(0)
    lane.withdraw('a')
    lane.withdraw('a')
    await pass(0)
    expect(asked).toEqual(['a', '-a receipt'])
  })

  it('[NO23] what waits is never told', async () => {
    const { asked, lane } = scene([fails(true)])
    lane.send(message('a'))
    await pass(0)
    lane.withdraw('a')
    await pass(60_000)
    expect(asked).toEqual(['a'])
  })

  it('[NO23] what is on its way is taken back as soon as it has arrived', async () => {
    const way = Promise.withResolvers<string>()
    const { asked, lane } = scene([() => way.promise])
    lane.send(message('a'))
    lane.withdraw('a')
    way.resolve('r')
    await pass(0)
    expect(asked).toEqual(['a', '-a r'])
  })

  it('[NO20] ends with its daemon, whatever is on its way', async () => {
    const { asked, troubles, lane } = scene([hangs])
    lane.send(message('a'))
    lane.send(message('b'))
    lane.close()
    await pass(3_600_000)
    expect([asked, troubles]).toEqual([['a'], []])
    expect(vi.getTimerCount()).toBe(0)
  })
})
