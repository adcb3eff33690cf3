import { afterEach, describe, expect, it, vi } from 'vitest'
import { machineGone, machineNews, NOW, rows, snapshot } from '../../../test/support/board.ts'
import { OTHER_MACHINE } from '../../../test/support/machines.ts'
import { aSession } from '../../../test/support/sessions.ts'
import type { Session } from '../../protocol/session.ts'
import type { StreamEvent } from '../../protocol/stream.ts'
import type { BoardEvent } from '../../view/board/board.ts'
import { ownOnly } from '../../view/own-only.ts'
import { listedOf } from './listed.ts'
import { err } from './output.ts'
import { isInFleet, remoteRows } from './remote-rows.ts'
import { oneThere } from './wait.ts'

const here = aSession({ id: 'same' })
const there = aSession({ id: 'same', machine: OTHER_MACHINE, own: false, state: 'working' })

const eventsIn = (...given: readonly BoardEvent[]): readonly StreamEvent[] =>
  given.flatMap((event) => (event.kind === 'stream' ? event.events : []))

/** A daemon whose stream has these batches and then ends. */
function streaming(...given: readonly BoardEvent[]) {
  async function* stream() {
    for (const event of given) yield eventsIn(event)
  }
  return { stream }
}

const { signal } = new AbortController()

afterEach(() => vi.restoreAllMocks())

it('[FL87] `--local` leaves this machine alone', () => {
  expect(listedOf([here, there], true)).toEqual([here])
  expect(listedOf([here, there], false)).toHaveLength(2)
  const given = eventsIn(
    snapshot([here, there]),
    rows(there, here),
    machineNews({ id: OTHER_MACHINE }),
    machineGone(OTHER_MACHINE),
  )
  const left = ownOnly(given)
  expect(left.map(({ kind }) => kind)).toEqual(['snapshot', 'machine', 'session'])
  expect(JSON.stringify(left)).not.toContain(OTHER_MACHINE)
})

describe('rows of other machines', () => {
  it('[FL88] come from the stream, without those of this machine', async () => {
    const waits = { ...there, state: 'waiting' as const }
    const client = streaming(snapshot([here, there]), rows(here, waits))
    const seen: Session[] = []
    for await (const row of remoteRows(client, signal)) seen.push(row)
    expect(seen).toEqual([there, waits])
  })

  it('[FL88] are asked for in a fleet alone', async () => {
    const view = (fleet: string | null) => ({ fleet: async () => ({ fleet }) as never })
    expect(await isInFleet(view('0123456789abcdef'))).toBe(true)
    expect(await isInFleet(view(null))).toBe(false)
    expect(await isInFleet({ fleet: () => Promise.reject(new Error('404')) })).toBe(false)
  })

  it('[FL89] are waited for while their machine is unreachable, which is said once', async () => {
    const said = vi.spyOn(err, 'line').mockImplementation(() => {})
    const idle = { ...there, state: 'idle' as const }
    const lost = { ...idle, stale: NOW }
    const client = streaming(snapshot([here, there]), rows(lost), rows(lost), rows(idle))
    const found = await oneThere(client, there, new Set(['idle']), signal)
    expect(found).toEqual(idle)
    expect(said).toHaveBeenCalledTimes(1)
    expect(said.mock.calls[0]?.[0]).toContain('its machine is unreachable')
    const never = streaming(snapshot([here, there]), rows(lost))
    expect(await oneThere(never, there, new Set(['idle']), signal)).toBe(undefined)
  })
})
