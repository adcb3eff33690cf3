import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sessionWith, settingsWith } from '../../../test/notify/support.ts'
import { Policy } from './policy.ts'
import { isQuietHour, type LocalClock, quietEndsAt } from './quiet.ts'
import { isWanted } from './wanted.ts'

const MINUTE = 60_000
const clock: LocalClock = (at) => {
  const date = new Date(at)
  return { day: date.getUTCDay(), minute: date.getUTCHours() * 60 + date.getUTCMinutes() }
}
const policyWith = (given?: Readonly<Record<string, unknown>>) =>
  new Policy(settingsWith(given), clock)
const one = (id = 'session-1') => sessionWith({ id })
const NOON = Date.UTC(2026, 0, 5, 12)
const PHONE = { name: 'phone', kind: 'ntfy', url: 'https://ntfy.sh/x' }
const DESK = { name: 'desk', kind: 'desktop' }

/** As the surface does it: at each deadline, until there is none or the time is up. */
function play(policy: Policy, from: number, until: number, looked?: ReadonlySet<string>) {
  const sent: { at: number; channel: string; ids: string[] }[] = []
  for (let at = policy.nextAt(from); at !== undefined && at <= until; at = policy.nextAt(at)) {
    for (const order of policy.tick(at, looked))
      if (order.do === 'send')
        sent.push({ at, channel: order.channel, ids: order.sessions.map(({ id }) => id) })
    if (policy.nextAt(at) === at) throw new Error('it goes round in circles')
  }
  return sent
}

describe('a call', () => {
  it('[NO1] is reported when it has lasted half a second, and only once', () => {
    const policy = policyWith()
    policy.call(one(), NOON)
    expect(policy.tick(NOON + 499)).toEqual([])
    expect(policy.nextAt(NOON)).toBe(NOON + 500)
    expect(policy.tick(NOON + 500)).toMatchObject([{ do: 'send', channel: 'desk' }])
    expect(policy.tick(NOON + 501)).toEqual([])
    expect(policy.nextAt(NOON + 501)).toBeUndefined()
  })

  it('[NO1] that is over before is never told', () => {
    const policy = policyWith()
    policy.call(one(), NOON)
    expect(policy.end('session-1')).toEqual([])
    expect(policy.tick(NOON + MINUTE)).toEqual([])
  })

  it('[NO7] is retracted from each channel that reported it, when it is read or over', () => {
    const policy = policyWith({ channels: [DESK, { ...PHONE, afterMin: 5 }] })
    policy.call(one(), NOON)
    const [sent] = policy.tick(NOON + 500)
    expect(policy.end('session-1')).toEqual([{ do: 'withdraw', channel: 'desk', id: sent?.id }])
    expect(policy.end('session-1')).toEqual([])
  })

  it('[NO7] told with others is withdrawn when the last of them is over', () => {
    const policy = policyWith()
    for (const id of ['a', 'b', 'c', 'd', 'e']) policy.call(one(id), NOON)
    expect(play(policy, NOON, NOON + MINUTE)).toHaveLength(1)
    for (const id of ['a', 'b', 'c', 'd']) expect(policy.end(id)).toEqual([])
    expect(policy.end('e')).toHaveLength(1)
  })

  it('[NO8] goes to the next channel if it is still unread after so many minutes', () => {
    const policy = policyWith({ channels: [DESK, { ...PHONE, afterMin: 5 }] })
    policy.call(one(), NOON)
    policy.call(one('read'), NOON)
    policy.tick(NOON + 500)
    policy.end('read')
    expect(play(policy, NOON + 500, NOON + 10 * MINUTE)).toEqual([
      { at: NOON + 5 * MINUTE, channel: 'phone', ids: ['session-1'] },
    ])
  })

  it('[NO4] of a pane that the user looks at is reported when the user looks away', () => {
    const policy = policyWith()
    policy.call(one(), NOON)
    expect(policy.due(NOON + 500)).toHaveLength(1)
    expect(policy.tick(NOON + 500, new Set(['session-1']))).toEqual([])
    expect(policy.nextAt(NOON + 500)).toBe(NOON + 30_500)
    expect(policy.tick(NOON + 30_500)).toHaveLength(1)
  })

  it('[NO9] of a stand-in goes on under the session’s own name', () => {
    const policy = policyWith()
    policy.call(one('pane:%0'), NOON)
    const [sent] = policy.tick(NOON + 500)
    policy.rename('pane:%0', one('own'))
    expect(policy.tick(NOON + 501)).toEqual([])
    expect(policy.end('own')).toEqual([{ do: 'withdraw', channel: 'desk', id: sent?.id }])
  })

  it('[NO9] told before is not told again, and can be withdrawn', () => {
    const policy = policyWith()
    policy.call(one(), NOON, new Map([['desk', 'm-1']]))
    expect(policy.tick(NOON + MINUTE)).toEqual([])
    expect(policy.end('session-1')).toEqual([{ do: 'withdraw', channel: 'desk', id: 'm-1' }])
  })

  it('[NO30] that stands already is not told by a channel that is new', () => {
    const policy = policyWith()
    policy.call(one(), NOON)
    policy.tick(NOON + 500)
    policy.settings = settingsWith({ channels: [DESK, PHONE] })
    expect(policy.tick(NOON + MINUTE)).toEqual([])
    policy.call(one('later'), NOON + MINUTE)
    expect(play(policy, NOON + MINUTE, NOON + 2 * MINUTE)).toHaveLength(2)
    expect(policy.end('session-1')).toHaveLength(1)
  })

  it('[NO30] is not reported while notifications are off', () => {
    const policy = policyWith({ on: false })
    policy.call(one(), NOON)
    expect(policy.nextAt(NOON)).toBeUndefined()
    expect(policy.tick(NOON + MINUTE)).toEqual([])
  })
})

describe('many calls', () => {
  const ids = Array.from({ length: 1_000 }, (_, n) => `s${n}`)

  it('[NO5][NO6] of a thousand in a second all are reported, in six messages a minute', () => {
    const policy = policyWith({ channels: [DESK, PHONE] })
    const sent: ReturnType<typeof play> = []
    for (const [n, id] of ids.entries()) {
      policy.call(one(id), NOON + n)
      sent.push(...play(policy, NOON + n, NOON + n))
    }
    sent.push(...play(policy, NOON + 1_000, NOON + 3 * MINUTE))
    for (const channel of ['desk', 'phone']) {
      const own = sent.filter((message) => message.channel === channel)
      expect(own.length).toBeLessThanOrEqual(6)
      expect(own.flatMap((message) => message.ids).toSorted()).toEqual(ids.toSorted())
      expect(own.at(-1)?.at).toBeLessThan(NOON + 12_000)
    }
  })

  it('[NO6] a few at once are reported one by one, many together', () => {
    const told = (count: number) => {
      const policy = policyWith()
      for (const id of ids.slice(0, count)) policy.call(one(id), NOON)
      return play(policy, NOON, NOON + MINUTE).map((message) => message.ids.length)
    }
    expect(told(3)).toEqual([1, 1, 1])
    expect(told(4)).toEqual([4])
  })

  it('[NO6] the last of a minute wait for others, the first never does', () => {
    const times = (perMinute: number, count: number) => {
      const policy = policyWith({ perMinute })
      const sent: ReturnType<typeof play> = []
      for (const [n, id] of ids.slice(0, count).entries()) {
        policy.call(one(id), NOON + n * 1_000)
        sent.push(...play(policy, NOON + n * 1_000, NOON + n * 1_000 + 999))
      }
      sent.push(...play(policy, NOON + count * 1_000, NOON + 59_000))
      return sent.map(({ at, ids: told }) => [(at - NOON) / 1_000, told.length])
    }
    expect(times(6, 14)).toEqual([
      ...[0.5, 1.5, 2.5, 3.5].map((at) => [at, 1]),
      [6.5, 3],
      [15.5, 7],
    ])
    expect(times(1, 1)).toEqual([[0.5, 1]])
    expect(times(2, 1)).toEqual([[0.5, 1]])
  })

  it('[NO5] never more in any minute, no session twice and none forgotten, for any input', () => {
    const calls = fc.array(
      fc.record({
        id: fc.integer({ min: 0, max: 30 }).map(String),
        afterMs: fc.integer({ min: 0, max: 20_000 }),
        over: fc.boolean(),
      }),
      { maxLength: 120 },
    )
    fc.assert(
      fc.property(calls, fc.integer({ min: 1, max: 8 }), (steps, perMinute) => {
        const policy = policyWith({ perMinute })
        const open = new Map<string, number>()
        const sent: ReturnType<typeof play> = []
        let now = NOON
        for (const { id, afterMs, over } of steps) {
          sent.push(...play(policy, now, now + afterMs))
          now += afterMs
          policy.end(id)
          open.delete(id)
          if (!over) {
            policy.call(one(id), now)
            open.set(id, now)
          }
        }
        sent.push(...play(policy, now, now + 10 * MINUTE))
        for (const [index, { at }] of sent.entries())
          expect((sent[index + perMinute]?.at ?? at + MINUTE) - at).toBeGreaterThanOrEqual(MINUTE)
        for (const [id, since] of open)
          expect(sent.filter((one) => one.at >= since && one.ids.includes(id))).toHaveLength(1)
      }),
    )
  })
})

describe('quiet hours', () => {
  const night = [{ from: '22:00', to: '07:00' }]
  const at = (hour: number, minute = 0) => Date.UTC(2026, 0, 5, hour, minute)

  it('[NO3] hold calls back, and tell what is still unread when they end', () => {
    const policy = policyWith({ quiet: night, channels: [DESK, { ...PHONE, always: true }] })
    for (const id of ['a', 'b', 'c', 'd', 'e']) policy.call(one(id), at(23))
    expect(play(policy, at(23), at(31)).map(({ at, channel }) => [at, channel])).toEqual([
      [at(23) + 500, 'phone'],
      [at(31), 'desk'],
    ])
  })

  it('[NO3] that cross midnight belong to the day they begin on', () => {
    const monday = [{ from: '22:00', to: '07:00', days: ['mon' as const] }]
    expect([21, 22, 30, 31].map((hour) => isQuietHour(monday, at(hour), clock))).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(isQuietHour(monday, at(6), clock)).toBe(false)
    expect(isQuietHour([{ from: '00:00', to: '00:00' }], at(6), clock)).toBe(true)
  })

  it('[NO3] end by their user’s clock, also where it is changed in that night', () => {
    const springs: LocalClock = (time) => clock(time >= at(26) ? time + 60 * MINUTE : time)
    const falls: LocalClock = (time) => clock(time >= at(26) ? time - 60 * MINUTE : time)
    expect(quietEndsAt(night, at(23), springs)).toBe(at(30))
    expect(quietEndsAt(night, at(23), falls)).toBe(at(32))
    expect(quietEndsAt([{ from: '00:00', to: '00:00' }], at(6), clock)).toBeUndefined()
  })

  it('[NO3] end at the first minute that is not quiet', () => {
    const time = fc
      .integer({ min: 0, max: 1_439 })
      .map((n) => new Date(n * MINUTE).toISOString().slice(11, 16))
    fc.assert(
      fc.property(time, time, fc.integer({ min: 0, max: 10_080 }), (from, to, minute) => {
        fc.pre(from !== to)
        const begin = at(0) + minute * MINUTE
        const end = quietEndsAt([{ from, to }], begin, clock) ?? 0
        expect(isQuietHour([{ from, to }], end, clock)).toBe(false)
        if (end > begin) expect(isQuietHour([{ from, to }], end - MINUTE, clock)).toBe(true)
      }),
    )
  })
})

describe('a channel', () => {
  const waits = sessionWith()
  const failed = sessionWith({ state: 'error', for: null, project: 'website' })

  it('[NO2] is for its states and what is waited for', () => {
    expect(isWanted({ states: ['error'] }, waits)).toBe(false)
    expect(isWanted({ states: ['waiting'] }, waits)).toBe(true)
    expect(isWanted({ states: ['permission'] }, waits)).toBe(true)
    expect(isWanted({ states: ['question'] }, waits)).toBe(false)
    expect(isWanted({ states: ['error'] }, failed)).toBe(true)
  })

  it('[NO2] is for its projects, by their names or a part of them', () => {
    expect(isWanted({ projects: ['pay*'] }, waits)).toBe(true)
    expect(isWanted({ projects: ['pay*'] }, failed)).toBe(false)
    expect(isWanted({ projects: ['!web*'] }, waits)).toBe(true)
    expect(isWanted({ projects: ['*', '!web*'] }, failed)).toBe(false)
    expect(isWanted({ projects: ['*s*e'] }, failed)).toBe(true)
    expect(isWanted({ projects: ['website'] }, sessionWith({ project: null }))).toBe(false)
  })
})
