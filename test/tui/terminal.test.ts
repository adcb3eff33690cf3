import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { OpenRequest } from '../../src/protocol/request.ts'
import type { Session } from '../../src/protocol/session.ts'
import type { StreamEvent } from '../../src/protocol/stream.ts'
import { View, type ViewOptions } from '../../src/surfaces/tui/view.ts'
import type { BoardEvent } from '../../src/view/board/board.ts'
import { changed, snapshot } from '../support/board.ts'
import { until } from '../support/daemon.ts'
import { aRequest } from '../support/open-request.ts'
import { VirtualTerminal } from '../support/terminal.ts'
import { FLEET } from '../support/view.ts'

/** As it was before Ink was first loaded. */
const ENVIRONMENT = { ...process.env }

/** A daemon as the view sees it, which does what the test says. */
class Daemon {
  readonly looked: string[] = []
  requests: readonly OpenRequest[] = []
  readonly answers: unknown[] = []
  asked = 0
  connect: (connected: boolean) => void = () => {}
  send: (events: readonly StreamEvent[]) => void = () => {}

  get client(): ViewOptions['client'] {
    const counted =
      <T>(answer: T) =>
      async () => {
        this.asked += 1
        return answer
      }
    return {
      explain: counted(undefined),
      talk: async () => {
        this.asked += 1
        return { said: ['that was the last of it'], call: null }
      },
      loop: counted(undefined),
      loopHistory: counted({ steps: [] }),
      acts: counted({ acts: [] }),
      look: async (id) => {
        this.looked.push(id)
        return { looked: true as const }
      },
      requests: async () => ({ requests: this.requests }),
      answer: async (id, answer) => void this.answers.push({ id, answer }),
      stream: ({ signal, onConnection = () => {} } = {}) => this.#stream(signal, onConnection),
    }
  }

  async *#stream(
    signal: AbortSignal | undefined,
    onConnection: (connected: boolean) => void,
  ): AsyncGenerator<readonly StreamEvent[], void> {
    this.connect = onConnection
    onConnection(true)
    yield eventsOf(snapshot(FLEET))
    while (!signal?.aborted) {
      const events = await new Promise<readonly StreamEvent[]>((resolve) => {
        this.send = resolve
        signal?.addEventListener('abort', () => resolve([]))
      })
      if (events.length > 0) yield events
    }
  }
}

function eventsOf(event: BoardEvent): readonly StreamEvent[] {
  return event.kind === 'stream' ? event.events : []
}

/** What bold, dim and colours begin with. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[1-9][0-9;]*m`)

const open: View[] = []
afterEach(() => {
  for (const view of open.splice(0)) view.close()
})

async function scene(columns = 80, rows = 24, over: Partial<ViewOptions> = {}) {
  const terminal = new VirtualTerminal(columns, rows)
  await terminal.print('$ vigil\r\n')
  const daemon = new Daemon()
  const { stdin, stdout } = terminal
  const jump = async ({ id }: Session) => `went to ${id}`
  const view = new View({ client: daemon.client, stdin, stdout, colours: true, jump, ...over })
  open.push(view)
  const left = view.run()
  await until('it is drawn', () => terminal.text.includes('quit'))
  await until('it has its sessions', () => /vigil {3}◆|found no running agent/.test(terminal.text))
  return { terminal, daemon, view, left }
}

describe('on a terminal', () => {
  it.each([
    [80, 24],
    [200, 60],
  ])('[TU15] of %i×%i the sessions stand where they should', async (columns, rows) => {
    const { terminal } = await scene(columns, rows)
    expect(terminal.isAlternate).toBe(true)
    const [head, , first = ''] = terminal.lines
    expect(head).toContain('◆ 2 waiting')
    expect(first).toMatch(/^▌1 ◆ \* payments@main +waiting for permission/)
    expect(terminal.colourAt(2, 3)).toBe(3)
    expect(terminal.lines.at(-1)).toContain('q quit')
  })

  it('[TU20] of another size it is drawn anew', async () => {
    const { terminal } = await scene()
    terminal.resize(200, 60)
    await until('it is wide', () => terminal.text.includes('│  payments@main'))
    expect(terminal.lines.at(-1)).toContain('q quit')
    terminal.resize(60, 14)
    await until('it is small', () => terminal.lines[2]?.startsWith('▌1 ◆ * payments'))
    expect(terminal.text).not.toContain('│')
    expect(terminal.lines.at(-1)).toContain('q quit')
  })

  it('[TU24] whose user wants none there is no colour', async () => {
    const { terminal } = await scene(80, 24, { colours: false })
    expect(terminal.lines[2]).toContain('payments')
    expect(terminal.writes.join('').match(COLOURS)).toBeNull()
  })

  it('[TU5] keys of the terminal choose, also when many come at once', async () => {
    const { terminal } = await scene()
    terminal.type('\u001b[B')
    await until('the second is chosen', () => terminal.lines[3]?.startsWith('▌'))
    terminal.type('jjjk')
    await until('the fourth is chosen', () => terminal.lines[5]?.startsWith('▌'))
    expect(terminal.lines.filter((line) => line.startsWith('▌'))).toHaveLength(1)
  })

  it('[TU8] a filter is typed and ended', async () => {
    const { terminal } = await scene()
    terminal.type('fpay')
    await until('it is filtered', () => terminal.text.includes('filter pay▏  1 of 7'))
    expect(terminal.text).not.toContain('website')
    terminal.type('\u001b')
    await until('all are back', () => terminal.text.includes('website'))
  })

  it('[TU10] [TU12] what is to be done is done, and its trouble said', async () => {
    const { terminal, daemon } = await scene()
    terminal.type('u')
    await until('it is reported', () => daemon.looked.length > 0)
    expect(daemon.looked).toEqual(['asks'])
    daemon.send(eventsOf(changed(FLEET, 'asks', { tmuxPane: '%1' })))
    await until('its pane is known', () => terminal.text.includes('tmux %1'))
    terminal.type('\r')
    await until('it went there', () => terminal.text.includes('went to asks'))
  })

  it('[AN25] a request is shown, and answered by a key', async () => {
    const { terminal, daemon } = await scene()
    daemon.requests = [aRequest()]
    daemon.send(eventsOf(changed(FLEET, 'asks', { asks: ['r1'] })))
    await until('it is shown', () => terminal.text.includes('y allow'))
    await sleep(600)
    terminal.type('y')
    await until('it is answered', () => daemon.answers.length > 0)
    expect(daemon.answers).toEqual([
      { id: 'r1', answer: { choice: 'allow', where: 'live', shown: '0'.repeat(64) } },
    ])
    await until('it is said', () => terminal.text.includes('allowed'))
  })

  it('[TU18] nothing is written while nothing changes but ages', async () => {
    const { terminal, daemon } = await scene()
    const old = FLEET.map((session) => ({ ...session, since: Date.now() - 3_600_000 }))
    daemon.send(eventsOf(snapshot(old, Date.now())))
    await until('ages stand', () => / 1 h /.test(terminal.lines[2] ?? ''))
    await sleep(300)
    const before = terminal.writes.length
    await sleep(1_500)
    expect(terminal.writes.slice(before)).toEqual([])
  })

  it('[TU22] a change is shown at once, a lost daemon said, and what was meanwhile', async () => {
    const { terminal, daemon } = await scene()
    daemon.send(eventsOf(changed(FLEET, 'works', { state: 'stuck' })))
    await until('it is stuck', () => terminal.text.includes('1 stuck'))
    daemon.connect(false)
    await until('it is said', () =>
      /lost connection to the daemon \d s ago, reconnecting/.test(terminal.text),
    )
    daemon.connect(true)
    daemon.send(eventsOf(snapshot(FLEET.slice(0, 1), Date.now())))
    await until('it is back', () => !terminal.text.includes('lost'))
    await until('it shows what is', () => terminal.text.includes('1 waiting'))
    await until('it tells what was', () => terminal.text.includes('meanwhile 6 went away'))
  })

  it('[BD8] the last words of the agent come through the API', async () => {
    const { terminal } = await scene()
    await until('they are shown', () => terminal.text.includes('that was the last of it'))
  })

  it('[BD9] nothing is asked of the daemon while nothing happens', async () => {
    const { terminal, daemon } = await scene()
    await until('the details are there', () => terminal.text.includes('that was the last of it'))
    const before = daemon.asked
    await sleep(2_500)
    expect(daemon.asked).toBe(before)
    daemon.send(eventsOf(changed(FLEET, 'asks', { title: 'renamed' })))
    await until('it is asked again', () => daemon.asked > before)
  })
})

describe('[TU21] the terminal is left as it was', () => {
  it.each([
    ['q', 'q'],
    ['Ctrl-C', '\u0003'],
  ])('by %s', async (_, key) => {
    const { terminal, left } = await scene()
    expect(terminal.modes).toEqual({ wraparoundMode: false, sendFocusMode: true, raw: true })
    terminal.type(key)
    expect(await left).toBeUndefined()
    await until('it is left', () => !terminal.isAlternate)
    expect(terminal.modes).toEqual({ wraparoundMode: true, sendFocusMode: false, raw: false })
    expect(terminal.lines[0]).toBe('$ vigil')
    expect(terminal.lines.slice(1).join('')).toBe('')
    expect(terminal.writes.join('').split('\u001b[?25h')).toHaveLength(2)
  })

  it('[TU12] by resuming a closed session, which is passed to the caller', async () => {
    const { terminal, left } = await scene()
    terminal.type('\u001b[F\r')
    expect(await left).toMatchObject({ id: 'ended' })
  })

  it('[TU25] and so is the environment', async () => {
    const { terminal } = await scene()
    expect(terminal.text).toContain('vigil')
    expect({ ...process.env }).toEqual(ENVIRONMENT)
  })
})
