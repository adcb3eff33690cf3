import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { torture } from './torture.ts'

/** Slow: some minutes. `npm run torture` does a thousand. */
const KILLS = 200

it(`[K1] ${KILLS} kills of the real daemon lose no report and count none twice`, async () => {
  const home = mkdtempSync(join(tmpdir(), 'vigil-torture-'))
  const seed = Number(process.env.VIGIL_SEED ?? 1)
  const tortured = await torture({ home, kills: KILLS, seed })
  const { lost, doubled, wrongEnd, early, acknowledged, written } = tortured
  expect({ lost, doubled, wrongEnd }).toEqual({ lost: [], doubled: [], wrongEnd: [] })
  // A torture in which nothing was under way would prove nothing.
  expect(written).toBeGreaterThan(KILLS * 10)
  expect(acknowledged).toBeGreaterThan(written / 4)
  expect(early).toBeLessThan(KILLS)
  rmSync(home, { recursive: true, force: true, maxRetries: 10 })
}, 900_000)
