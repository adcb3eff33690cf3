import { drawFleet } from './fleet.ts'
import { NOBODY } from './nobody.ts'
import { paintFor } from './paint.ts'
import { Picture } from './picture.ts'
import { reach } from './reach.ts'
import { COLUMNS_DEFAULT } from './status.ts'

/** Ages are told in seconds. */
const REDRAW_MS = 1_000

/** The live view: on a terminal until Ctrl-C; elsewhere once, with the address. */
export async function live(): Promise<void> {
  const client = await reach()
  const paint = paintFor(process.stdout)
  const { address } = await client.health()
  const lines = async (columns: number) => {
    const { sessions, now, seq } = await client.sessions({ all: false })
    const fleet = drawFleet(sessions, now, columns, paint)
    return { seq, lines: sessions.length > 0 ? fleet : [...fleet, ...NOBODY] }
  }
  const first = await lines(process.stdout.columns ?? COLUMNS_DEFAULT)
  if (!process.stdout.isTTY) {
    process.stdout.write(`${[...first.lines, '', `listening on ${address}`].join('\n')}\n`)
    return
  }
  const picture = new Picture(process.stdout)
  const foot = paint(
    'dim',
    `${address} · vigil why SESSION · Ctrl-C leaves, vigil goes on watching`,
  )
  let busy = false
  const redraw = async () => {
    if (busy) return
    busy = true
    // A daemon that is being replaced is back in a moment: the picture stands meanwhile.
    const next = await lines(picture.columns).catch(() => undefined)
    busy = false
    if (next) picture.draw(next.lines, foot)
  }
  picture.draw(first.lines, foot)
  setInterval(redraw, REDRAW_MS)
  for await (const _ of client.events({ after: first.seq })) await redraw()
}
