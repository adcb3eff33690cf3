import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OWN, until } from '../support/daemon.ts'
import { hookAsks } from '../support/hook-asks.ts'
import { describeUnless } from '../support/needs.ts'
import { refusal } from './machines.ts'
import { NetworkFleet, type NetworkMachine, NO_FLEETS, tell } from './networked.ts'

const ROUNDS = 6
/** Until after its reply has arrived; the first rounds are cut before the call is sent. */
const CUT_WITHIN_MS = 15
const CUT_BEFORE = 2
/** Some cuts are over before a call's deadline, some are not. */
const CUT_FOR_MS = [1_000, 12_000]

describeUnless(NO_FLEETS)('an answer while the network is cut', () => {
  let fleet: NetworkFleet
  let desk: NetworkMachine
  let laptop: NetworkMachine

  beforeAll(async () => {
    fleet = new NetworkFleet()
    const machines = await fleet.found('desk', 'laptop')
    ;[desk, laptop] = machines as [NetworkMachine, NetworkMachine]
  })
  afterAll(() => fleet?.end())

  const acts = async (session: string) => {
    const { acts } = await laptop.client.audit()
    return acts.filter((act) => act.session === session && act.what === 'answer')
  }

  async function round(n: number): Promise<string> {
    const session = `${OWN}asks${n}`
    const hook = await hookAsks(laptop.home, session, 'Bash', { command: 'npm test' })
    try {
      const shown = async () => (await desk.rowsOf(laptop)).find(({ id }) => id === session)
      await until('it is asked', async () => (await shown())?.asks.length === 1)
      const { requests } = await desk.client.requests(`${laptop.id}/${session}`)
      const { id = '', digest = '' } = requests[0] ?? {}
      const answer = () => desk.client.answer(id, { choice: 'allow', shown: digest, where: 'cli' })
      const isBefore = n < CUT_BEFORE
      const waitMs = isBefore ? 0 : Math.random() * CUT_WITHIN_MS
      if (isBefore) laptop.link.cut()
      const first = refusal(answer())
      await sleep(waitMs)
      if (!isBefore) laptop.link.cut()
      await sleep(CUT_FOR_MS[n % 2])
      laptop.link.mend()
      const said = await first
      await fleet.machines.agree([desk, laptop], 10_000)
      const given = await acts(session)
      expect(given.length).toBeLessThanOrEqual(1)
      if (said === 'it was not refused') expect(given.length).toBe(1)
      if (/nothing was done/.test(said)) expect(given.length).toBe(0)
      // The user tries again: it counts where the first did not, and else is refused.
      const again = await refusal(answer())
      expect(again === 'it was not refused').toBe(given.length === 0)
      expect(await hook.said).toContain('allow')
      expect(await acts(session)).toHaveLength(1)
      const when = isBefore ? 'before' : `after ${waitMs.toFixed(1)} ms`
      return `cut ${when}: ${said}; ${given.length} given`
    } finally {
      hook.end()
    }
  }

  it('[FL131] [FL135] is given once or refused, whenever the cut comes', async () => {
    for (let n = 0; n < ROUNDS; n++) tell(await round(n))
  })
})
