import { describe, expect, it } from 'vitest'
import { translateClaude } from '../../src/agents/claude/translate.ts'
import { judge } from '../../src/core/judge.ts'
import { Tracker } from '../../src/core/tracker.ts'
import { STATES } from '../../src/core/verdict.ts'
import type { Session } from '../../src/protocol/session.ts'
import { sessionOf } from '../../src/protocol/session-of.ts'
import { reportsOf } from '../../src/recording/read.ts'
import { GLYPHS } from '../../src/view/glyphs.ts'
import { timeOfDay } from '../../src/view/loop.ts'
import { inAttention } from '../../src/view/order.ts'
import { lookOf, shapeOf } from '../../src/view/shape.ts'
import { summaryOf } from '../../src/view/summary.ts'
import { OTHER_MACHINE, OWN_MACHINE } from '../support/machines.ts'
import { allRecordings } from '../support/recordings.ts'
import { aSession } from '../support/sessions.ts'
import { FIGURES, LISTS, SAYINGS, tmuxSays } from './sayings.ts'

const NOW = 5_000_000

/** Every state and every shade of it, each with all that can stand beside it, and with nothing. */
const invented: readonly Session[] = [
  ...STATES.map((state) => ({ state })),
  ...(['permission', 'question', 'plan', 'dialog'] as const).map((kind) => ({
    ...{ state: 'waiting' as const, for: kind, request: { at: 1, text: `may I ${kind}` } },
  })),
  ...(['start', 'work', 'talk', 'interrupt', 'compact'] as const).map((after) => ({
    ...{ state: 'idle' as const, after },
  })),
  { state: 'error' as const, cause: 'rate_limit' },
  { state: 'closed' as const, how: 'killed' },
  { state: 'working' as const, doing: { what: 'tool' as const, tool: 'Bash', since: 1 } },
  { state: 'working' as const, detached: true, attach: 'fable again told' },
  { state: 'background' as const, tasks: [{ id: '1', what: 'shell', label: 'npm run dev' }] },
].flatMap((over, at): Session[] => [
  aSession({ id: `bare-${at}`, since: NOW - 1_000 * at, ...over }),
  aSession({
    ...{ id: `full-${at}`, title: `t-${at}`, project: 'shop', branch: 'main', unread: true },
    ...{ since: NOW - 70_000 * at, typing: at % 2 === 0 },
    loop: { state: 'ACTIVE', iteration: at, max: 30, hold: null, until: null },
    ...over,
  }),
  // SPEC FL83, FL84. On another machine, which may be lost.
  ...[null, NOW - 180_000].map((stale) =>
    aSession({
      ...{ id: `far-${at}-${stale}`, title: `f-${at}`, own: false, host: 'build-7', stale },
      ...{ machine: OTHER_MACHINE, since: NOW - 300_000, unread: true },
      ...over,
    }),
  ),
])

/** What the real client's sessions had come to when their recordings ended. */
const recorded: readonly Session[] = allRecordings().flatMap((recording) => {
  const tracker = new Tracker(translateClaude)
  const reports = reportsOf(recording)
  for (const report of reports) tracker.learn(report)
  const endAt = reports.at(-1)?.t ?? 0
  return [...tracker.sessions.ids()].flatMap((id) => {
    const facts = tracker.sessions.facts(id)
    if (!facts) return []
    const belongings = {
      machine: OWN_MACHINE,
      host: 'here',
      lineage: id,
      parent: undefined,
      live: true,
    }
    const session = sessionOf(facts, judge(facts, endAt), belongings)
    // At one moment all of them; names of their own, or a list could not be told from another.
    const name = `${recording.name}:${id}`.slice(-12)
    return [
      {
        ...session,
        id: `${recording.name}:${id}`,
        title: name,
        name,
        since: NOW - endAt + session.since,
      },
    ]
  })
})

const everyone = [...invented, ...recorded]

describe('all surfaces', () => {
  it('[VW10] are shown sessions of every state', () => {
    expect(new Set(invented.map(({ state }) => state)).size).toBe(STATES.length)
    expect(recorded.length).toBeGreaterThan(100)
  })

  it.each(SAYINGS)('[VW10] say the same of a session: $name', ({ tells, of }) => {
    for (const session of everyone) {
      const shape = shapeOf(session, NOW, timeOfDay)
      const text = of(session, NOW)
      expect(text, session.id).toContain(`${shape.glyph} `)
      for (const told of tells) {
        const said = shape[told] === null ? '' : String(shape[told])
        // What is too long for a place is cut there, and so is the blank at its end.
        expect(text, `${session.id}: ${told}`).toContain(said.slice(0, 12).trim())
      }
      expect(
        tells.includes('word') && others(session).filter((word) => text.includes(word)),
      ).toEqual([])
    }
  })

  it.each(Object.entries(LISTS))('[VW10] have the same order: %s', (_, linesOf) => {
    const named = everyone.map((session, at) => ({ ...session, name: `n${at}.` }))
    const lines = linesOf(named, NOW)
    const shown = lines.flatMap((line) => /\bn\d+\./.exec(line) ?? [])
    expect(shown).toEqual(inAttention(named).map(({ name }) => name))
  })

  it('[VW10] say the same of a session: tmux, in its variables', () => {
    const said = ({ state, for: kind, unread }: Session) => ({ state, for: kind, unread })
    for (const session of everyone)
      for (const target of ['@1', '%0'])
        expect(tmuxSays([session], NOW, target), session.id).toEqual(said(session))
    for (const at of everyone.keys()) {
      const together = everyone.slice(at, at + 5)
      const [neediest] = inAttention(together)
      expect(tmuxSays(together, NOW), `from ${at}`).toEqual(neediest && said(neediest))
    }
  })

  it.each(Object.entries(FIGURES))('[VW10] count the same: %s', (_, figures) => {
    const { waiting, error, stuck, unread, working, background, idle, ...rest } =
      summaryOf(everyone)
    const { closed, starting, unknown, unreachable } = rest
    const glyphs = GLYPHS.emoji
    const counts: Readonly<Record<string, number>> = {
      [glyphs.waiting]: waiting,
      [glyphs.error]: error,
      [glyphs.stuck]: stuck,
      [glyphs.unread]: unread,
      [glyphs.working]: working + background,
      [glyphs.idle]: idle + unread,
      [glyphs.starting]: starting,
      [glyphs.unknown]: unknown,
      [glyphs.unreachable]: unreachable,
      [glyphs.closed]: closed,
    }
    const told = [...figures(everyone).matchAll(/(\S) ?(\d+)/g)]
    expect(told.length).toBeGreaterThan(3)
    for (const [, glyph = '', count] of told) expect(Number(count), glyph).toBe(counts[glyph])
    expect(figures([])).not.toMatch(/[1-9]/)
  })
})

/** The words of all other states, which must not stand beside its own glyph. */
function others(session: Session): string[] {
  const { glyph, word } = lookOf(session)
  return STATES.map((state) => `${glyph} ${state}`).filter(
    (said) => !`${glyph} ${word}`.startsWith(said),
  )
}
