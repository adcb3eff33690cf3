import { expect, it } from 'vitest'
import { type FleetOutcome, simulateFleet, simulateOutage } from './simulate.ts'

/** `npm run sim:fleet` runs more. */
const SEEDS = 200
const OUTAGES = 5

const outcomes: FleetOutcome[] = []

it(`[FL50][FL51][FL52] viewers agree with owners after the faults (${SEEDS} fleets)`, async () => {
  const failed: string[] = []
  for (let seed = 0; seed < SEEDS; seed++) {
    const outcome = await simulateFleet(seed)
    outcomes.push(outcome)
    const [first] = outcome.misses
    if (first) failed.push(`seed ${seed}: ${first}`)
  }
  expect(failed).toEqual([])
})

it.each([false, true])(
  '[FL50][FL51] a server is gone for ten minutes, lost: %s',
  async (isLost) => {
    for (let seed = 0; seed < OUTAGES; seed++) {
      const { misses, happened } = await simulateOutage(seed, isLost)
      expect([seed, misses]).toEqual([seed, []])
      expect(happened.compared).toBeGreaterThan(20)
      expect(happened['rows of a machine that is cut off']).toBeGreaterThan(10_000)
    }
  },
)

it('every kind of fault happened, and rows were compared', () => {
  const kinds = outcomes.flatMap(({ happened }) => Object.keys(happened))
  expect([...new Set(kinds)].toSorted()).toEqual([
    'bucket kept',
    'bucket lost',
    'clock',
    'compared',
    'cut',
    'rows of a machine that is cut off',
    'server',
    'stop',
  ])
  const compared = outcomes.map(({ happened }) => happened.compared ?? 0)
  expect(Math.min(...compared)).toBeGreaterThan(20)
})

it('the same seed gives the same fleet', async () => {
  expect(await simulateFleet(7)).toEqual(outcomes[7])
})
