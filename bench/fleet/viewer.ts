/**
 * Started as a process of its own: the live view of a whole fleet on a terminal that only counts.
 * It says when its stream had every session, when the terminal showed them, and what it costs.
 */
import { once } from 'node:events'
import { connect } from '../../src/client/client.ts'
import type { StreamOptions } from '../../src/client/events.ts'
import { foldersOf } from '../../src/home/folders.ts'
import type { Session } from '../../src/protocol/session.ts'
import type { StreamEvent } from '../../src/protocol/stream.ts'
import { CountingTerminal } from '../tui/terminal.ts'
import { watched } from '../tui/watched.ts'

const [, , columns = '200', rows = '60', seconds = '10', expected = '0'] = process.argv

const client = connect(foldersOf())
const known = new Set<string>()
const delays: number[] = []
let isCounting = false
let onComplete: () => void = () => {}
const complete = new Promise<void>((resolve) => {
  onComplete = resolve
})
const stream = client.stream.bind(client)
client.stream = (options) => counted(options)

const terminal = new CountingTerminal(client, Number(columns), Number(rows))
const drawn = terminal.drawn(`${expected} idle`)
process.on('disconnect', () => process.exit())
process.send?.('loaded')
await once(process, 'message')
void terminal.view.run()
await complete
process.send?.({ completeAt: Date.now() })
await drawn
process.send?.({ drawnAt: Date.now() })
await once(process, 'message')
isCounting = true
const figures = await watched(terminal, Number(seconds))
isCounting = false
process.send?.({ figures, delays })
await once(process, 'message')
terminal.view.close()
process.exit(0)

async function* counted(options?: StreamOptions): AsyncGenerator<readonly StreamEvent[], void> {
  for await (const events of stream(options)) {
    for (const event of events) count(event)
    yield events
  }
}

function count(event: StreamEvent): void {
  if (event.kind === 'snapshot') for (const session of event.sessions) saw(session)
  if (event.kind !== 'session') return
  saw(event.session)
  const [, changedAt] = /^changed (\d+)$/.exec(event.session.prompt ?? '') ?? []
  if (isCounting && changedAt !== undefined) delays.push(Date.now() - Number(changedAt))
}

/** One that its machine is not known to be reachable is not what the user waits for. */
function saw({ id, machine, stale }: Session): void {
  if (stale !== null) return
  known.add(`${machine}/${id}`)
  if (known.size === Number(expected)) onComplete()
}
