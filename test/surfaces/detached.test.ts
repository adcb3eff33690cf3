import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { AGENTS, agentOf, translate } from '../../src/agents/index.ts'
import type { Report } from '../../src/core/signal.ts'
import { Tracker } from '../../src/core/tracker.ts'
import { SETTINGS } from '../../src/home/settings-schema.ts'
import type { Session } from '../../src/protocol/session.ts'
import { sessionOf } from '../../src/protocol/session-of.ts'
import { lineOf } from '../../src/surfaces/cli/change-line.ts'
import { explained } from '../../src/surfaces/cli/why.ts'
import { messageOf } from '../../src/surfaces/notify/message.ts'
import { NOTHING_WRITTEN, plan } from '../../src/surfaces/tmux/plan.ts'
import { pictureOf } from '../../src/surfaces/tui/layout.ts'
import { SessionLine } from '../../src/surfaces/web/board/row.tsx'
import { Detached } from '../../src/surfaces/web/session/detached.tsx'
import { abilitiesOf } from '../../src/view/board/abilities.ts'
import { selectedOf } from '../../src/view/board/board.ts'
import { NOW, rows } from '../support/board.ts'
import { OWN_MACHINE } from '../support/machines.ts'
import { happened as onPage, pageOf } from '../support/page-state.ts'
import { aSession } from '../support/sessions.ts'
import { effectsOf, linesIn, happened as onTerminal, press, viewOf } from '../support/view.ts'

const THREAD = '01a1e51a-20fe-78a3-a3db-4b4ef33781e3'
const ATTACH = `codex resume ${THREAD}`
const PID = 17_267
const CLIENT = { pid: PID, start: '1', command: 'codex', cwd: '/home/ada/engine' }

/** What the daemon learns of one session, and its row after each report. */
class Watched {
  readonly #tracker = new Tracker(translate)
  #now = NOW - 60_000

  constructor() {
    this.#report('process', { ...CLIENT, alive: true, tmux: '/tmp/tmux', tmuxPane: '%1' })
    const thread = { id: THREAD, cwd: CLIENT.cwd, status: { type: 'idle' } }
    this.#server('thread/started', { thread })
    this.#report('process', { ...CLIENT, command: ATTACH, alive: true })
  }

  status(type: string, activeFlags: readonly string[] = []): Session {
    const status = { type, activeFlags }
    return this.#server('thread/status/changed', { threadId: THREAD, status })
  }

  closesTerminal(): Session {
    return this.#report('process', { pid: PID, start: '1', alive: false })
  }

  #server(method: string, params: object): Session {
    return this.#report('server', { agent: 'codex', thread: THREAD, message: { method, params } })
  }

  #report(source: Report['source'], fields: object): Session {
    this.#now += 1_000
    this.#tracker.take({ t: this.#now, source, agent: 'codex', ...fields })
    const facts = this.#tracker.sessions.facts(THREAD)
    const verdict = this.#tracker.verdict(THREAD)
    if (!facts || !verdict) return aSession({ id: THREAD })
    const context = { machine: OWN_MACHINE, host: 'here', lineage: THREAD, parent: undefined }
    const resume = agentOf('codex')?.resume?.(THREAD)
    return sessionOf(facts, verdict, { ...context, live: true, resume })
  }
}

/** The story: it works, its terminal is closed, it asks, it is done. */
function story(): readonly Session[] {
  const watched = new Watched()
  return [
    watched.status('active'),
    watched.closesTerminal(),
    watched.status('active', ['waitingOnApproval']),
    watched.status('idle'),
  ]
}

const [working, alone, asking, done] = story() as [Session, Session, Session, Session]
const unmarked = (markup: string) => markup.replace(/<[^>]*>/g, ' ').replace(/ +/g, ' ')
const pageRow = (session: Session) => {
  const look = { number: null, selected: false, now: NOW, onChoose: () => {} }
  return unmarked(renderToStaticMarkup(createElement(SessionLine, { session, ...look })))
}
const pageTop = (session: Session) =>
  unmarked(renderToStaticMarkup(createElement(Detached, { session })))

describe('a session whose terminal was closed while its agent’s server works on', () => {
  it('[VW31] has a row without a pane and process, with the command that attaches it', () => {
    expect(AGENTS.map(({ id }) => id)).toContain('codex')
    expect(working).toMatchObject({ state: 'working', detached: false, attach: null, pid: PID })
    const nowhere = { pid: null, tmuxPane: null, tmuxSocket: null, tty: null, terminal: null }
    expect(alone).toMatchObject({ state: 'working', detached: true, attach: ATTACH, ...nowhere })
    expect(asking).toMatchObject({ state: 'waiting', for: 'permission', detached: true })
    expect(done).toMatchObject({ state: 'idle', detached: true })
  })

  it('[VW31] [BD7] looks the same in the terminal view and on the page, event by event', () => {
    let terminal = viewOf([working], 160, 40)
    let page = pageOf([working])
    for (const row of [working, alone, asking, done]) {
      terminal = onTerminal(terminal, rows(row))
      page = onPage(page, rows(row))
      const [seen, read] = [selectedOf(terminal), selectedOf({ ...page, selected: THREAD })]
      expect(seen).toEqual(read)
      expect(seen && abilitiesOf(seen, null)).toEqual(read && abilitiesOf(read, null))
      const lines = linesIn(pictureOf(terminal))
        .join(' ')
        .replaceAll(/[\s│]+/g, ' ')
      expect(lines.includes('detached')).toBe(row.detached)
      expect(lines.includes(ATTACH)).toBe(row.detached)
      expect(pageRow(row).includes('detached')).toBe(row.detached)
      expect(pageTop(row).includes(ATTACH)).toBe(row.detached)
    }
  })

  it('[VW31] is marked in a narrow terminal too, and its command stands in `w`', () => {
    const narrow = viewOf([alone], 60, 24)
    expect(linesIn(pictureOf(narrow))[2]).toContain('detached · ')
    const why = linesIn(pictureOf(press(narrow, 'w'))).join(' ')
    expect(why.replaceAll(/\s+/g, ' ')).toContain(ATTACH)
  })

  it('[TM36] is attached by Enter', () => {
    expect(effectsOf(viewOf([alone]), 'enter')).toEqual([{ do: 'jump', session: alone }])
    const bare = { ...alone, attach: null }
    expect(effectsOf(viewOf([bare]), 'enter')).toEqual([])
    expect(press(viewOf([bare]), 'enter').notice?.text).toContain('its terminal was closed')
  })

  it('[VW31] is explained by `vigil why`, and marked in `watch --json` and notifications', () => {
    const nothing = { grounds: [], wouldChange: [], nextLook: null, heard: {}, history: [] }
    const lines = (session: Session) =>
      explained({ session, ...nothing }, NOW, (_, text) => text).join('\n')
    expect(lines(alone)).toContain(`attach it again with: ${ATTACH}`)
    expect(lines(working)).not.toContain('detached')
    expect(lineOf(NOW, THREAD, alone)).toMatchObject({ detached: true })
    expect(lineOf(NOW, THREAD, working)).not.toHaveProperty('detached')
    const { body } = messageOf('id', NOW, [asking], { hideSecrets: true })
    expect(body).toMatch(/^detached · /)
  })

  it('[TM36] leaves its window in tmux to other names', () => {
    const where = { tty: '', window: '@1', session: '$0', seen: false }
    const own = { name: 'x', auto: true, held: undefined, byHand: false, style: '', marked: false }
    const seen = {
      panes: new Map([['%1', { id: '%1', ...where }]]),
      windows: new Map([['@1', { id: '@1', ...own }]]),
      ...{ segment: '', activeAt: new Map() },
    }
    const parts = { seen, autos: new Map(), segment: '', settings: SETTINGS.parse({}).tmux }
    const written = (session: Session, before = NOTHING_WRITTEN) =>
      plan({ ...parts, sessions: [session], before, now: NOW }).written
    const before = written({ ...working, tmuxPane: '%1' })
    expect([...before.values.keys()]).toContain('%1')
    expect(written(alone, before).values.size).toBe(0)
  })

  it('[VW31] has no command if its id has a meaning to a shell', () => {
    const facts = { process: undefined, said: {}, session: 'x', agent: 'codex', details: {} }
    const verdict = { ...facts, state: 'working', detached: true, tasks: [] }
    const context = { machine: OWN_MACHINE, host: '', lineage: '', parent: undefined, live: true }
    for (const id of ['$(reboot)', '--yolo', 'a b'])
      expect(
        sessionOf(facts as never, verdict as never, { ...context, resume: ['codex', id] }).attach,
      ).toBeNull()
  })
})
