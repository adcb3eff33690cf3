import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ask } from '../../src/client/ask.ts'
import { DaemonHome, turn } from '../support/daemon.ts'
import { A_LOOP } from '../support/loops.ts'
import { digestOf } from '../support/spooled.ts'

let home: DaemonHome

beforeEach(() => {
  home = new DaemonHome()
})
afterEach(() => home.end())

const SESSIONS = Array.from({ length: 10 }, (_, index) => `s${index}`)
const ROUNDS = 10
/** In these rounds the daemon is killed while the answers are on their way. */
const KILLS = new Set([3, 7])

/** As the hook does it: whatever goes wrong, the agent stops. */
async function stop(session: string, round: number): Promise<boolean> {
  const said = { last_assistant_message: `round ${round}` }
  const payload = { ...turn(session, `${session}-${round}`, 'Stop'), ...said }
  const report = basename(home.write(payload, { asks: 1 }))
  const body = { report, digest: digestOf(payload) }
  const question = { method: 'POST' as const, path: '/v1/loops/answer', body, silenceMaxMs: 10_000 }
  const answer = await ask(home.folders, question).catch(() => '{}')
  return JSON.parse(answer).act === 'print'
}

it('[LP70] [LP83] a hundred Stops of ten loops, the daemon killed among them', async () => {
  let daemon = await home.start()
  for (const session of SESSIONS) {
    home.write(turn(session, `${session}-begun`))
    await home.taken()
    await home.client.startLoop({ ...A_LOOP, max: 500, session: `own-${session}` })
  }
  const answered = new Map<string, number>()
  for (let round = 0; round < ROUNDS; round++) {
    const stops = SESSIONS.map((session) => stop(session, round))
    if (KILLS.has(round)) {
      await sleep(5 + round)
      await daemon.kill('SIGKILL')
      daemon = await home.start()
    }
    for (const [index, kept] of (await Promise.all(stops)).entries()) {
      const session = SESSIONS[index] ?? ''
      if (kept) answered.set(session, (answered.get(session) ?? 0) + 1)
    }
    await home.taken()
  }
  for (const session of SESSIONS) {
    const { steps } = await home.client.loopHistory(`own-${session}`)
    const counted = steps.filter(({ kind }) => kind === 'iteration')
    const numbers = counted.map(({ iteration }) => iteration)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
    expect((await home.client.loop(`own-${session}`))?.iteration).toBe(numbers.length)
    // Every answer that came through was counted; one in flight at a kill may be counted unheard.
    expect(numbers.length).toBeGreaterThanOrEqual(answered.get(session) ?? 0)
    expect(numbers.length).toBeLessThanOrEqual((answered.get(session) ?? 0) + KILLS.size)
    expect(answered.get(session)).toBeGreaterThanOrEqual(ROUNDS - KILLS.size)
  }
})
