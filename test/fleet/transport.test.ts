import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { connectOnce } from '../../src/fleet/nats/connection.ts'
import { inboxOf, namesOf } from '../../src/fleet/nats/subjects.ts'
import type { BucketEntry, FleetTransport } from '../../src/fleet/transport.ts'
import { until } from '../support/daemon.ts'
import { FLEET, NATS_VERSIONS, NatsFleet, noNats } from '../support/nats.ts'
import { describeUnless } from '../support/needs.ts'

const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString()
const bytes = (word: string) => Buffer.from(word)

/** What a watch has told, and the bucket as it stands by that. */
class Seen {
  readonly entries: BucketEntry[] = []
  readonly bucket = new Map<string, string>()
  /** Whether each began with the whole bucket. */
  readonly begun: boolean[] = []
  ready = 0
  readonly stop: () => void

  constructor(transport: FleetTransport) {
    this.stop = transport.watch({
      onBegin: (isWhole) => this.begun.push(isWhole),
      onEntry: (entry) => {
        this.entries.push(entry)
        if (entry.value === undefined) this.bucket.delete(entry.key)
        else this.bucket.set(entry.key, text(entry.value) ?? '')
      },
      onReady: () => {
        this.ready += 1
      },
    })
  }
}

for (const version of NATS_VERSIONS)
  describeUnless(noNats(version))(`bucket on nats-server ${version}`, () => {
    let fleet: NatsFleet | undefined
    afterEach(() => fleet?.end())

    const begin = async (change = {}) => {
      fleet = await NatsFleet.start(version, undefined, change)
      return { fleet, alpha: await fleet.open('alpha', { bucketBytesMax: BUCKET }) }
    }
    const BUCKET = 8 * 1024 * 1024
    /** Of 100 KB. The server's window begins with 2 MB. */
    const ROWS = 60

    it('[FL65] a watch begins with every key, then passes on each change', async () => {
      const { fleet, alpha } = await begin()
      const beta = await fleet.open('beta')
      await alpha.put('roster', bytes('one'))
      await beta.put('row.beta.x', bytes('row'))
      await beta.put('row.beta.y', bytes('gone'))
      await beta.delete('row.beta.y')
      const seen = new Seen(await fleet.open('gamma'))
      await until('it is ready', () => seen.ready === 1)
      expect(seen.entries.map(({ key, isOld }) => [key, isOld])).toEqual([
        ['roster', true],
        ['row.beta.x', true],
        ['row.beta.y', true],
      ])
      expect(seen.entries.at(-1)?.value).toBeUndefined()
      const before = Date.now()
      await beta.put('beat.beta', bytes('beat'))
      await until('it is passed on', () => seen.bucket.has('beat.beta'))
      const beat = seen.entries.at(-1)
      expect(beat?.isOld).toBe(false)
      expect(Math.abs((beat?.storedAt ?? 0) - before)).toBeLessThan(5_000)
    })

    it('[FL65] an empty bucket is ready at once, and watches are apart', async () => {
      const { alpha } = await begin()
      const [one, two] = [new Seen(alpha), new Seen(alpha)]
      await until('both are ready', () => one.ready === 1 && two.ready === 1)
      one.stop()
      await alpha.put('beat.alpha', bytes('1'))
      await until('the other goes on', () => two.bucket.size === 1)
      expect(one.entries).toEqual([])
    })

    it('[FL66] nothing is missed when the server is killed under load', async () => {
      const { fleet, alpha } = await begin()
      const beta = await fleet.open('beta')
      const seen = new Seen(alpha)
      await until('it is ready', () => seen.ready === 1)
      const stored = new Map<string, string>()
      let isOver = false
      const load = (async () => {
        for (let round = 0; !isOver; round += 1) {
          const key = `row.beta.${round % 50}`
          try {
            await beta.put(key, bytes(`${round}`))
            stored.set(key, `${round}`)
          } catch {
            await sleep(5)
          }
        }
      })()
      for (let kill = 0; kill < 3; kill += 1) {
        const before = stored.get('row.beta.0')
        await until('rows are stored', () => stored.get('row.beta.0') !== before)
        fleet.kill()
        await until('the loss is noticed', () => !alpha.state.connected)
        await fleet.restart()
        await until('it is connected', () => alpha.state.connected && beta.state.connected, 20_000)
      }
      isOver = true
      await load
      const isSame = () =>
        [...stored].every(([key, value]) => Number(seen.bucket.get(key)) >= +value)
      await until('all is there', isSame)
      expect(stored.size).toBe(50)
    })

    it('[FL66] what changed while the machine was away comes as old', async () => {
      const { fleet, alpha } = await begin()
      const seen = new Seen(alpha)
      const beta = await fleet.open('beta')
      await beta.put('row.beta.a', bytes('1'))
      await until('it is seen', () => seen.bucket.size === 1)
      const key = fleet.config.founder
      // Another key for a moment: the server ends the founder's connection, and takes it back.
      await fleet.reload({
        founder: { ...key, nkey: fleet.config.members[1]?.nkey ?? '' },
        members: fleet.config.members.slice(0, 1),
      })
      await until('it is away', () => !alpha.state.connected)
      await beta.put('row.beta.a', bytes('2'))
      await beta.put('row.beta.b', bytes('3'))
      const told = seen.entries.length
      await fleet.reload({ founder: key })
      await until('it is back', () => seen.bucket.size === 2, 20_000)
      expect(seen.entries.slice(told).map(({ key, isOld }) => [key, isOld])).toEqual([
        ['row.beta.a', true],
        ['row.beta.b', true],
      ])
      expect(seen.begun).toEqual([true, false])
    })

    it('[FL64][FL67] a server that restarts empty gets its bucket from the founder', async () => {
      const { fleet, alpha } = await begin()
      const beta = await fleet.open('beta')
      const seen = new Seen(beta)
      await alpha.put('roster', bytes('one'))
      await until('it is seen', () => seen.bucket.size === 1)
      await fleet.server.stop()
      fleet.forget()
      await alpha.close()
      await fleet.restart()
      await until('it says what is missing', () => /bucket is missing/.test(beta.state.why ?? ''))
      await fleet.open('alpha')
      await until('it is back', () => beta.state.connected, 20_000)
      await until('what is gone is reported', () => seen.bucket.size === 0)
      expect(seen.entries.at(-1)).toMatchObject({ key: 'roster', value: undefined, isOld: true })
      await beta.put('beat.beta', bytes('1'))
      await until('the watch goes on', () => seen.bucket.size === 1)
    })

    it('[FL202] the server holds the rest back until what it sent was read', async () => {
      const { alpha } = await begin()
      const row = Buffer.alloc(100_000)
      for (let n = 0; n < ROWS; n += 1) await alpha.put(`row.alpha.${n}`, row)
      let [told, ready] = [0, 0]
      const unread: (() => void)[] = []
      const stop = alpha.watch({
        onEntry: () => {
          told += 1
        },
        onReady: () => {
          ready += 1
        },
        whenRead: (run) => void unread.push(run),
      })
      await until('it waits', () => unread.length > 0)
      await sleep(500)
      const before = told
      expect(before).toBeLessThan(ROWS)
      await until('all is sent', () => {
        for (const run of unread.splice(0)) run()
        return told === ROWS
      })
      expect(ready).toBe(1)
      stop()
    })

    it('[FL63] a full bucket refuses, and keeps what it has', async () => {
      const { alpha } = await begin()
      const seen = new Seen(alpha)
      const row = Buffer.alloc(400_000)
      const fill = async () => {
        for (let n = 0; n < 40; n += 1) await alpha.put(`row.alpha.${n}`, row)
      }
      await expect(fill()).rejects.toMatchObject({ fault: 'full' })
      await until('all are seen', () => seen.bucket.size > 15)
      await alpha.delete('row.alpha.0')
      await alpha.put('row.alpha.small', bytes('1'))
      await expect(alpha.put('row.alpha.1', Buffer.alloc(2e6))).rejects.toMatchObject({
        fault: 'refused',
      })
    })

    it('[FL61] a server that is silent counts as lost after some seconds', async () => {
      const { fleet, alpha } = await begin()
      const { pid = 0 } = fleet.server
      process.kill(pid, 'SIGSTOP')
      const before = performance.now()
      try {
        await until('it is noticed', () => !alpha.state.connected, 15_000)
        expect(performance.now() - before).toBeLessThan(8_000)
      } finally {
        process.kill(pid, 'SIGCONT')
      }
      await until('it is back', () => alpha.state.connected, 20_000)
    })

    it('[FL66] a watch that the server forgot begins again, and misses nothing', async () => {
      const { fleet, alpha } = await begin()
      const gamma = await fleet.open('gamma')
      const seen = new Seen(gamma)
      await until('it is ready', () => seen.ready === 1)
      const nats = await connectOnce(fleet.optionsOf('gamma'), inboxOf('gamma'))
      const { stream } = namesOf(FLEET)
      await nats.request(`$JS.API.CONSUMER.DELETE.${stream}.gamma_0`, '', { timeout: 5_000 })
      await nats.close()
      await alpha.put('roster', bytes('missed'))
      await until('it is reported', () => seen.bucket.get('roster') === 'missed', 15_000)
      expect(seen.ready).toBe(2)
      expect(gamma.state.connected).toBe(true)
    })

    it('[FL62] without a server nothing is sent, and state says why', async () => {
      const { fleet, alpha } = await begin()
      const states: boolean[] = []
      alpha.onState(({ connected }) => {
        states.push(connected)
        throw new Error('a listener’s own fault')
      })
      fleet.kill()
      await until('it is noticed', () => !alpha.state.connected)
      await expect(alpha.put('roster', bytes('1'))).rejects.toMatchObject({ fault: 'disconnected' })
      await until('it says why', () => /cannot be reached/.test(alpha.state.why ?? ''))
      await fleet.restart()
      await until('it is back', () => alpha.state.connected, 20_000)
      await alpha.put('roster', bytes('1'))
      expect(states[0]).toBe(false)
      expect(states.at(-1)).toBe(true)
    })
  })
