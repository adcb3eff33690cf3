import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OWN, until } from '../support/daemon.ts'
import { describeUnless } from '../support/needs.ts'
import { apartFromFreshness } from './machines.ts'
import { HAS_NETEM } from './network.ts'
import { ms, NetworkFleet, type NetworkMachine, NO_FLEETS, tell } from './networked.ts'

const BACK_MAX_MS = 2_000
const UNREACHABLE_AFTER_MS = 10_000
const UNREACHABLE_MAX_MS = 12_000
/** Clocks are compared by messages that take some time. */
const CLOCK_MS = 250

/** What impairs the link where the kernel has no netem: see `impair`. */
const WITH = HAS_NETEM ? 'netem' : 'a token bucket and a random filter'

describeUnless(NO_FLEETS)('machines with networks of their own', () => {
  let fleet: NetworkFleet
  let desk: NetworkMachine
  let laptop: NetworkMachine
  let cloud: NetworkMachine

  beforeAll(async () => {
    fleet = new NetworkFleet()
    const machines = await fleet.found('desk', 'laptop', 'cloud')
    ;[desk, laptop, cloud] = machines as [NetworkMachine, NetworkMachine, NetworkMachine]
  })
  afterAll(() => fleet?.end())

  const agree = (maxMs?: number) => fleet.machines.agree([desk, laptop, cloud], maxMs)

  it('[FL143] [FL146] join by the commands over a bridge, with TLS', async () => {
    await Promise.all([desk, laptop, cloud].map((machine) => machine.works(machine.link.host)))
    await agree()
    const said = await cloud.vigil('fleet')
    expect(said).toContain(`connected to nats://${desk.link.address}:`)
    expect(said).toMatch(/cloud +this machine +/)
    expect(said).toMatch(/desk +online .*may look and answer here · began the fleet/)
    expect(said).toMatch(/laptop +online .*may look here/)
    expect(await cloud.vigil('status')).toContain('on laptop')
  })

  it('[FL45] [FL51] [FL61] one that is cut off is unreachable, and right 2 s after', async () => {
    laptop.link.cut()
    const cutAt = performance.now()
    const shown = async () => (await desk.listed(laptop))?.online === false
    await until('it is shown as unreachable', shown, UNREACHABLE_MAX_MS)
    const shownMs = performance.now() - cutAt
    const [row] = await desk.rowsOf(laptop)
    expect(row).toMatchObject({ state: 'working', live: false })
    const agoMs = Date.now() - (row?.stale ?? 0)
    expect(agoMs).toBeGreaterThan(UNREACHABLE_AFTER_MS - CLOCK_MS)
    expect(agoMs).toBeLessThan(UNREACHABLE_MAX_MS)
    expect(await desk.vigil('fleet')).toMatch(/laptop +last heard 1\d s ago/)
    const counted = JSON.parse(await desk.vigil('status', '--json')) as { live: boolean }[]
    expect(counted.filter((one) => 'id' in one && one.id === `${OWN}laptop`)).toEqual([
      expect.objectContaining({ live: false, stale: expect.any(Number) }),
    ])
    // On both sides of the cut something changes.
    await laptop.ends('laptop')
    await laptop.works('alone')
    await desk.ends('desk')
    await cloud.works('meanwhile')
    expect((await laptop.rowsOf(desk)).map(({ state }) => state)).toEqual(['working'])
    const lonely = async () => (await laptop.listed(cloud))?.online === false
    await until('it sees the others as unreachable', lonely, UNREACHABLE_MAX_MS)
    laptop.link.mend()
    const mendedAt = performance.now()
    await agree(BACK_MAX_MS)
    tell(`unreachable after ${ms(shownMs)}, right again after ${ms(performance.now() - mendedAt)}`)
    expect((await desk.rowsOf(laptop)).map(({ stale }) => stale)).toEqual([null, null])
  })

  /** Changes on both sides of a bad link. Returns when the last was made. */
  async function changes(): Promise<number> {
    const begun = performance.now()
    for (let n = 0; n < 20; n++) {
      await Promise.all([laptop.works('laptop', n), desk.works(`lossy${n % 4}`, n)])
      if (n % 5 === 4) await laptop.ends('laptop')
      await sleep(150)
    }
    const changedAt = performance.now()
    const lost = laptop.link.dropped()
    expect(lost).toBeGreaterThan(5)
    tell(`${lost} packets lost in ${ms(changedAt - begun)} of changes`)
    return changedAt
  }

  it(`[FL50] [FL61] a fifth of all packets are lost (${WITH}): all agree meanwhile`, async () => {
    laptop.link.impair({ lossPercent: 20, delayMs: 200 })
    const changedAt = await changes()
    await fleet.machines.agree([desk, laptop, cloud], undefined, apartFromFreshness)
    tell(`equal ${ms(performance.now() - changedAt)} after the last`)
    laptop.link.repair()
    await agree(BACK_MAX_MS + UNREACHABLE_AFTER_MS)
  })

  // Of four packets three get no reply then: TCP itself may be silent for a minute.
  it(`[FL50] [FL61] half of all packets are lost (${WITH}): all agree after it`, async () => {
    laptop.link.impair({ lossPercent: 50, delayMs: 200 })
    await changes()
    laptop.link.repair()
    const repairedAt = performance.now()
    await agree(BACK_MAX_MS + UNREACHABLE_AFTER_MS)
    tell(`equal ${ms(performance.now() - repairedAt)} after the repair`)
  })
})
