import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { translateClaude } from '../src/agents/claude/translate.ts'
import type { RecordedLine } from '../src/agents/truth-reader.ts'
import { SOURCES, type Source } from '../src/core/signal.ts'
import { type Change, Tracker } from '../src/core/tracker.ts'
import type { Verdict } from '../src/core/verdict.ts'
import { newestSession } from '../src/recording/meter.ts'
import { type Recording, readRecording, reportsOf } from '../src/recording/read.ts'

const TAIL_MS = 20_000
/** How soon after it happened a verdict has to say so. */
const SOON_MS = 500
/** Between two turns the client's own file says idle for some 40 ms. */
const BLINK_MS = 150

interface Seen {
  readonly seen: string
  readonly without?: Source
}

/** Section 13 of the rules: with all sources, and with any one of them left out. */
const SEEN: readonly Seen[] = [
  { seen: 'all sources' },
  ...SOURCES.map((without) => ({ seen: `without ${without}`, without })),
]

/** A recording as vigil saw it, and when what happened in it, which all its lines show. */
class Run {
  readonly player = new Tracker(translateClaude)
  readonly changes: readonly Change[]
  readonly end: number
  readonly #recording: Recording

  constructor(name: string, { without }: Seen) {
    const content = readFileSync(new URL(`recordings/${name}.jsonl`, import.meta.url), 'utf8')
    this.#recording = readRecording(name, content)
    this.end = (this.#recording.lines.at(-1)?.t ?? 0) + TAIL_MS
    const changes: Change[] = []
    for (const report of reportsOf(this.#recording, new Set(without && [without])))
      changes.push(...this.player.runTo(report.t), ...this.player.take(report))
    this.changes = [...changes, ...this.player.runTo(this.end)]
  }

  /** When the hook told it, for the `nth` time. */
  hook(event: string, nth = 1): number {
    return this.#when(`${event} ${nth}`, nth, (line) => {
      const payload = line.payload as { hook_event_name?: unknown } | undefined
      return line.source === 'hook' && payload?.hook_event_name === event
    })
  }

  /** When the person at the keyboard did it. */
  action(what: string, value: string): number {
    return this.#when(`${what} ${value}`, 1, (line) => line.what === what && line.value === value)
  }

  /** When the client first said it of itself. */
  status(status: string): number {
    return this.#when(status, 1, (line) => {
      const file = line.file as { status?: unknown } | null | undefined
      return line.source === 'registry' && file?.status === status
    })
  }

  /**
   * Every verdict that held for longer than `leastMs` from `from` up to `to`, each word once in a
   * row.
   */
  during(from: number, to: number, leastMs = 0): string[] {
    const said = newestSession(this.changes)
    const before = said.findLastIndex(({ t }) => t <= from)
    const words = said
      .filter(({ t }, index) => index >= before && t < to)
      .filter(({ t }, index, all) => (all[index + 1]?.t ?? to) - Math.max(t, from) >= leastMs)
      .map(({ verdict }) => wordOf(verdict))
    return words.filter((word, index) => word !== words[index - 1])
  }

  #when(what: string, nth: number, is: (line: RecordedLine) => boolean): number {
    const line = this.#recording.lines.filter(is)[nth - 1]
    if (!line) throw new Error(`${this.#recording.name} has no ${what}`)
    return line.t
  }
}

function wordOf({ state, for: kind, after }: Verdict): string {
  const more = kind ?? after
  return more === undefined ? state : `${state}:${more}`
}

/** Whether `words` come in this order, with anything between. */
function inOrder(said: readonly string[], words: readonly string[]): boolean {
  let next = 0
  for (const word of said) if (word === words[next]) next += 1
  return next === words.length
}

it.each(SEEN)('[G1] a permission dialog opens: waiting for a permission ($seen)', (seen) => {
  const run = new Run('bash_approve', seen)
  const answered = run.action('key', 'Enter')
  expect(run.during(run.status('waiting') + SOON_MS, answered)).toEqual(['waiting:permission'])
  expect(run.during(answered + SOON_MS, run.hook('PostToolUse'))).toEqual(['working'])
})

it.each(SEEN)('[G2] a question or plan dialog opens: waiting for it ($seen)', (seen) => {
  for (const [name, word] of [
    ['ask_answer', 'waiting:question'],
    ['plan_approve', 'waiting:plan'],
  ] as const) {
    const run = new Run(name, seen)
    const open = run.during(run.status('waiting') + SOON_MS, run.action('key', 'Enter'))
    expect(open, name).toEqual([word])
  }
})

it.each(SEEN)('[G3] the user allows it: working until the tool ends ($seen)', (seen) => {
  const run = new Run('long_allowed', seen)
  const [allowed, ended] = [run.action('key', 'Enter'), run.hook('PostToolUse')]
  expect(ended - allowed).toBeGreaterThan(30_000)
  expect(run.during(allowed - 1, allowed)).toEqual(['waiting:permission'])
  expect(run.during(allowed + SOON_MS, ended)).toEqual(['working'])
  expect(run.during(run.end - 1, run.end)).toEqual(['idle:work'])
})

it.each(SEEN)('[G4] Esc in a dialog, a tool, streaming text: idle after it ($seen)', (seen) => {
  for (const [name, before] of [
    ['bash_reject', 'waiting:permission'],
    ['esc_tool', 'working'],
    ['esc_stream', 'working'],
  ] as const) {
    const run = new Run(name, seen)
    const pressed = run.action('key', 'Escape')
    expect(run.during(pressed - 1, pressed), name).toEqual([before])
    expect(run.during(pressed + SOON_MS, run.end), name).toEqual(['idle:interrupt'])
  }
})

it.each(SEEN)('[G5] the turn ends, a subagent runs on and asks ($seen)', (seen) => {
  const run = new Run('agent_perm', seen)
  const turn = run.during(run.hook('UserPromptSubmit'), run.end)
  const story = ['working', 'background', 'waiting:permission', 'background', 'idle:work']
  expect(inOrder(turn, story), turn.join(' → ')).toBe(true)
  const answered = run.action('key', 'Enter')
  expect(run.during(run.status('waiting') + SOON_MS, answered)).toEqual(['waiting:permission'])
  expect(run.during(answered + SOON_MS, run.hook('SubagentStop'))).toEqual(['background'])
  expect(run.during(run.hook('Stop', 2) + SOON_MS, run.end)).toEqual(['idle:work'])
})

it.each(SEEN)('[G6] the turn ends, a background shell runs on: background ($seen)', (seen) => {
  const run = new Run('bash_bg', seen)
  // Its end comes as the prompt of the next turn; the client says so a moment sooner.
  const over = run.hook('UserPromptSubmit', 2) - SOON_MS
  expect(over - run.hook('Stop')).toBeGreaterThan(7_000)
  expect(run.during(run.hook('Stop') + SOON_MS, over)).toEqual(['background'])
  expect(run.during(run.hook('Stop', 2) + SOON_MS, run.end)).toEqual(['idle:work'])
})

it.each(SEEN)('[G7] an API error ends the turn: error ($seen)', (seen) => {
  const run = new Run('err400', seen)
  const died = run.hook('StopFailure')
  expect(run.during(died - SOON_MS, died)).toEqual(['working'])
  expect(run.during(died + SOON_MS, run.end)).toEqual(['error'])
})

it.each(SEEN)('[G8] a prompt typed while working: working throughout ($seen)', (seen) => {
  const run = new Run('queue', seen)
  const [first, last] = [run.hook('UserPromptSubmit'), run.hook('Stop', 2)]
  expect(run.hook('UserPromptSubmit', 2)).toBeLessThan(run.hook('Stop'))
  expect(run.during(first + SOON_MS, last, BLINK_MS)).toEqual(['working'])
  expect(run.during(last + SOON_MS, run.end)).toEqual(['idle:talk'])
})

it.each(SEEN)('[G9] /clear: another session, idle, of the same lineage ($seen)', (seen) => {
  const run = new Run('clear', seen)
  const [cleared, next] = [
    run.action('submit', '/clear') + SOON_MS,
    run.action('submit', 'SCENARIO:hello again'),
  ]
  expect(run.during(cleared, next)).toEqual(['idle:start'])
  const newest = (at: number) => newestSession(run.changes.filter(({ t }) => t < at)).at(-1)
  const [before, after] = [newest(cleared - SOON_MS), newest(next)].map(
    (change) => change?.verdict.session ?? '',
  ) as [string, string]
  expect(after).not.toBe(before)
  expect(run.player.sessions.lineages.rootOf(after)).toBe(before)
  const old = run.changes.findLast(({ verdict }) => verdict.session === before)
  expect(old).toMatchObject({ verdict: { state: 'closed' } })
})

it.each(SEEN)('[G10] a manual /compact: working, then idle after compact ($seen)', (seen) => {
  const run = new Run('compact', seen)
  const [begun, done] = [run.action('submit', '/compact'), run.hook('PostCompact')]
  const next = run.action('submit', 'SCENARIO:hello more')
  expect(run.during(begun - 1, begun)).toEqual(['idle:talk'])
  const story = run.during(begun, next)
  expect(inOrder(story, ['working', 'idle:compact']), story.join(' → ')).toBe(true)
  expect(run.during(done + SOON_MS, next)).toEqual(['idle:compact'])
})

const WITH_PROCESS = SEEN.filter(({ without }) => without !== 'process')

it.each(WITH_PROCESS)('[G11] kill -9: closed ($seen)', (seen) => {
  const run = new Run('kill9', seen)
  const killed = run.action('kill', 'SIGKILL')
  expect(run.during(killed - 1, killed)).toEqual(['working'])
  expect(run.during(killed + SOON_MS, run.end)).toEqual(['closed'])
})

it.each(['trust_dialog', 'settings_dialog'])(
  '[W9] a dialog before the first prompt: waiting until it is answered (%s)',
  (name) => {
    const run = new Run(name, { seen: 'all sources' })
    const answered = run.action('key', 'Enter')
    expect(run.during(answered - SOON_MS, answered)).toEqual(['waiting:dialog'])
    expect(run.during(run.status('idle') + SOON_MS, run.hook('UserPromptSubmit'))).toEqual([
      'idle:start',
    ])
  },
)
