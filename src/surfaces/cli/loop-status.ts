import type { Client } from '../../client/client.ts'
import { keyOf } from '../../protocol/address.ts'
import type { LoopStep, LoopView } from '../../protocol/loop.ts'
import type { Session } from '../../protocol/session.ts'
import { asked, BadInput } from './bad-input.ts'
import { loopDetails } from './loop-details.ts'
import { tableOf } from './loop-table.ts'
import { cleanUpAfter } from './loop-tidy.ts'
import { sessionKeyOf, whichLoop } from './loop-which.ts'
import { out } from './output.ts'
import { reach } from './reach.ts'

interface Options {
  readonly all?: boolean
  readonly json?: boolean
}

/** A loop, its session, and the agent's last message. */
export interface LoopStatusRow {
  readonly loop: LoopView
  readonly session: Session | undefined
  readonly last: string
}

/** All loops as a table, or one in full. */
export async function printLoopStatus(name: string | undefined, options: Options): Promise<void> {
  const client = await reach()
  const { sessions, now } = await client.sessions({ all: true })
  if (name !== undefined) {
    const loop = await whichLoop(client, name, { over: true })
    const { steps } = await asked(client.loopHistory(loop.id))
    const row = rowOf(loop, sessions, steps)
    if (options.json) return out.json({ ...loop, last: row.last })
    const lines = loopDetails(row, now, out.paint)
    const cleaned = await cleanUpAfter(client, sessions, [loop], { loop: loop.id })
    return out.lines([...lines, ...cleaned])
  }
  const { loops } = await asked(client.loops({ all: options.all === true }))
  const rows = await Promise.all(loops.map((loop) => rowFor(client, loop, sessions)))
  if (options.json) return out.json(rows.map(({ loop, last }) => ({ ...loop, last })))
  const table = rows.length > 0 ? tableOf(rows, now, out.width, out.paint) : NONE
  out.lines([...table, ...(await cleanUpAfter(client, sessions, loops))])
}

const NONE: readonly string[] = [
  'No loop is running.',
  '',
  '  vigil loop start --prompt "make the tests pass" --until "npm test"',
  '  vigil loop status --all    also list ended loops',
]

async function rowFor(
  client: Client,
  loop: LoopView,
  sessions: readonly Session[],
): Promise<LoopStatusRow> {
  // The loop may be deleted during the request; the rest is shown all the same.
  const { steps } = await asked(client.loopHistory(loop.id)).catch((error: unknown) => {
    if (error instanceof BadInput) return { steps: [] }
    throw error
  })
  return rowOf(loop, sessions, steps)
}

function rowOf(
  loop: LoopView,
  sessions: readonly Session[],
  steps: readonly LoopStep[],
): LoopStatusRow {
  const session = sessions.find((one) => keyOf(one) === sessionKeyOf(loop))
  return { loop, session, last: steps.findLast(({ said }) => said !== '')?.said ?? '' }
}
