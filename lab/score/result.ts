import type { RecordedLine, Truth } from '../../src/agents/truth-reader.ts'
import { isAtLeast } from '../../src/agents/version.ts'
import { SOURCES } from '../../src/core/signal.ts'
import type { Change } from '../../src/core/tracker.ts'
import {
  type ClientRun,
  joinedScore,
  linesOf,
  strandsOf,
  verdictsOf,
} from '../../src/recording/client-runs.ts'
import {
  type MeasuredRun,
  type Score,
  type ScoredStretch,
  scoreOf,
  stretchesOf,
  type TimeSpan,
} from '../../src/recording/meter.ts'
import { play } from '../../src/recording/play.ts'
import { reportsOf } from '../../src/recording/read.ts'
import { truthOf } from '../../src/recording/truth.ts'
import { unreportedIn } from '../../src/recording/unreported.ts'
import { STATUS_SINCE } from '../clients.ts'
import { type Delays, delaysOf, together } from './delays.ts'
import { type Dispute, disputesOf } from './disputes.ts'
import { awayIn, ghostsIn, liveSaid, type Told } from './live.ts'
import { screenTruthOf } from './screen-truth.ts'

/** The core's clock runs on past the last line, as in `vigil score`; the daemon's cannot. */
const TAIL_MS = 20_000

/** In the lab only the lab types; this agent has no server, and no state in its title. */
const EACH = SOURCES.filter((source) => !['keystroke', 'loop', 'title', 'server'].includes(source))

/** What the core is measured without: each source, and the pairs that a user may lack. */
export const LEFT_OUT: readonly string[] = [...EACH, 'registry,screen', 'hook,registry']

const CODEX_LEFT_OUT: readonly string[] = [
  ...['process', 'server', 'title', 'hook', 'transcript', 'screen', 'hook,server'],
]

function isCodex(lines: readonly RecordedLine[]): boolean {
  return lines.some(({ agent }) => agent === 'codex')
}

export interface Run {
  readonly name: string
  readonly shows: string
  readonly client: string
  readonly lines: readonly RecordedLine[]
  /** Errors while it was played. */
  readonly failed?: string
}

export interface Figures {
  readonly score: Score
  readonly delays: Delays
}

/** A judge of a client: its verdicts with their times, and where they were wrong. */
export interface Speaker {
  readonly who: 'core' | 'live'
  readonly told: readonly Told[]
  readonly wrong: readonly ScoredStretch<Told>[]
  /** When it was killed, or file and screen disagreed: this time does not count. */
  readonly away: readonly TimeSpan[]
}

export interface Client {
  readonly truths: readonly Truth[]
  readonly speakers: readonly Speaker[]
}

interface Disputed extends Dispute {
  readonly said: Readonly<Partial<Record<Speaker['who'], string>>>
}

export interface Result extends Omit<Run, 'lines'> {
  /** Undefined if the truth is unknown. */
  readonly core: Figures | undefined
  readonly without: Readonly<Record<string, Score>>
  /** Undefined if no daemon watched. */
  readonly live: Figures | undefined
  /** Sessions in the daemon's list that were none. */
  readonly ghosts: readonly string[]
  /**
   * Where the truth comes from: the client itself, in its file or to its terminal, or its screen if
   * it says nothing.
   */
  readonly truthFrom: 'registry' | 'terminal' | 'screen'
  /** Where the client's file and its screen disagree, and the verdicts meanwhile. */
  readonly disputes: readonly Disputed[]
  readonly clients: readonly Client[]
  readonly actions: readonly { readonly t: number; readonly words: string }[]
  readonly beginAt: number
  readonly endAt: number
}

export function resultOf(run: Run): Result {
  const { lines, ...about } = run
  const endAt = lines.at(-1)?.t ?? 0
  const strands = strandsOf(lines).map((strand) => {
    const known = truthsOf(strand, lines, run.client)
    const leftOut = [...unreportedIn(strand, lines, known.truths), ...known.disputes]
    return { strand, ...known, leftOut }
  })
  const changes = changesIn(run)
  const cores = strands.map(({ strand, ...known }) =>
    coreOf(known, verdictsOf(strand, changes), endAt),
  )
  const lives = strands.flatMap(({ strand, ...known }) => liveOf(strand, known, lines) ?? [])
  const clients = strands.map(({ truths }, index) => ({
    truths,
    speakers: [speakerOf('core', cores[index]), speakerOf('live', lives[index])].flatMap(
      (speaker) => speaker ?? [],
    ),
  }))
  const without = (isCodex(lines) ? CODEX_LEFT_OUT : LEFT_OUT).flatMap((names) => {
    const left = changesIn(run, new Set(names.split(',')))
    const measured = strands.map(({ strand, ...known }) =>
      coreOf(known, verdictsOf(strand, left), endAt),
    )
    const score = joinedScore(measured.flatMap((one) => scoreOf(one) ?? []))
    return score ? [[names, score]] : []
  })
  return {
    ...about,
    core: figuresOf(cores),
    without: Object.fromEntries(without),
    live: figuresOf(lives),
    ghosts: ghostsIn(
      strands.map(({ strand }) => strand),
      lines,
    ),
    disputes: strands.flatMap(({ disputes }, index) =>
      disputes.map((dispute) => ({ ...dispute, said: saidAt(dispute.to - 1, clients[index]) })),
    ),
    truthFrom: strands.find(({ from }) => from !== 'registry')?.from ?? 'registry',
    clients,
    actions: actionsIn(lines),
    beginAt: lines[0]?.t ?? 0,
    endAt,
  }
}

/** The client's own status; for a client without one, its screen. */
function truthsOf(strand: ClientRun, lines: readonly RecordedLine[], client: string) {
  if (isCodex(lines))
    return { from: 'terminal' as const, truths: truthOf(linesOf(strand, lines)), disputes: [] }
  const screen = screenTruthOf(strand, lines)
  if (!isAtLeast(client, STATUS_SINCE))
    return { from: 'screen' as const, truths: screen, disputes: [] }
  const truths = truthOf(linesOf(strand, lines))
  const disputes = disputesOf(truths, screen, lines.at(-1)?.t ?? 0)
  return { from: 'registry' as const, truths, disputes }
}

function saidAt(at: number, client: Client | undefined): Disputed['said'] {
  const said = client?.speakers.map(({ who, told }) => {
    return [who, told.findLast(({ t }) => t <= at)?.verdict.state ?? 'nothing']
  })
  return Object.fromEntries(said ?? [])
}

function changesIn({ name, lines }: Run, without: ReadonlySet<string> = new Set()): Change[] {
  const recording = { name, lines, bad: [], torn: false }
  return [...play(reportsOf(recording, without), (lines.at(-1)?.t ?? 0) + TAIL_MS)]
}

type Heard = MeasuredRun<Told>

interface Known {
  readonly truths: readonly Truth[]
  readonly leftOut: readonly TimeSpan[]
}

function coreOf({ truths, leftOut }: Known, said: readonly Change[], endAt: number): Heard {
  return { truths, leftOut, said, endAt: endAt + TAIL_MS }
}

function liveOf(
  strand: ClientRun,
  known: Known,
  lines: readonly RecordedLine[],
): Heard | undefined {
  const said = liveSaid(strand, lines)
  if (!said) return undefined
  const leftOut = [...known.leftOut, ...awayIn(lines)]
  return { truths: known.truths, said, endAt: lines.at(-1)?.t ?? 0, leftOut }
}

function figuresOf(all: readonly Heard[]): Figures | undefined {
  const score = joinedScore(all.flatMap((measured) => scoreOf(measured) ?? []))
  return score && { score, delays: together(all.map(delaysOf)) }
}

function speakerOf(who: Speaker['who'], heard: Heard | undefined): Speaker | undefined {
  if (!heard) return undefined
  const wrong = [...stretchesOf(heard)].filter(({ right }) => !right)
  return { who, told: heard.said, wrong, away: heard.leftOut ?? [] }
}

/** Typing and then sending is one action of the user. */
function actionsIn(lines: readonly RecordedLine[]): Result['actions'] {
  const actions = lines.filter(({ source }) => source === 'action')
  return actions.flatMap(({ t, what, value }, index) => {
    const next = actions[index + 1]
    if (what === 'text' && next?.what === 'submit' && next.value === value) return []
    const words = Array.isArray(value) ? value.join(' ') : String(value ?? '')
    return [{ t, words: `${what} ${words}`.trim() }]
  })
}
