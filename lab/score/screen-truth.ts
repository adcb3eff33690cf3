import { readScreen } from '../../src/agents/claude/screen.ts'
import type { RecordedLine, Truth } from '../../src/agents/truth-reader.ts'
import { type ClientRun, linesOf } from '../../src/recording/client-runs.ts'

/** A reading that is shorter, with the same reading before and after, was a half-drawn screen. */
const FLICKER_MAX_MS = 300

/**
 * While 2.1.100 and later write an answer to the screen they draw no spinner: a bare prompt below a
 * growing text is not an end. Lines of an answer came up to 0.7 s apart on a busy machine.
 */
const GOES_ON_MS = 1_500

/**
 * The truth for a client whose file has no status (2.1.100, 2.0.50, 1.0.128): what its user could
 * read on the screen, and the death of its process. It lags by the time between two reads of the
 * screen. A caller during the run passes the time: the end of an answer is known only a moment
 * later.
 */
export function screenTruthOf(
  strand: ClientRun,
  lines: readonly RecordedLine[],
  now = Number.POSITIVE_INFINITY,
): readonly Truth[] {
  return steady(whole(readingsOf(ownLines(strand, lines)), now))
}

/** Screens name no client; hooks report the pane of each. */
function ownLines(strand: ClientRun, lines: readonly RecordedLine[]): readonly RecordedLine[] {
  if (strand.alone) return lines
  const own = new Set(linesOf(strand, lines))
  const paneOf = ({ source, env }: RecordedLine) =>
    source === 'hook' ? (env as { tmuxPane?: unknown } | undefined)?.tmuxPane : undefined
  const panes = new Set<unknown>([...own].map(paneOf).filter((pane) => pane !== undefined))
  return lines.filter((line) => own.has(line) || (line.source === 'screen' && panes.has(line.pane)))
}

interface Reading extends Truth {
  /** The text above a bare prompt, which may go on. */
  readonly answer?: string
}

function readingsOf(lines: readonly RecordedLine[]): Reading[] {
  let failed = false
  // A dead client leaves its last screen behind.
  let dead = false
  // With `-p` it draws nothing: it works as long as it runs.
  let prints = false
  return lines.flatMap(({ t, source, payload, alive, text, what, value }): Reading[] => {
    const event = (payload as { hook_event_name?: unknown } | undefined)?.hook_event_name
    if (event === 'StopFailure') failed = true
    if (event === 'UserPromptSubmit') failed = false
    if (what === 'launch') prints = Array.isArray(value) && value.includes('-p')
    if (source === 'process') {
      dead = alive !== true
      return dead ? [{ t, state: 'closed' }] : prints ? [{ t, state: 'working' }] : []
    }
    return source === 'screen' && !dead ? readingOf(t, unboxed(String(text)), failed) : []
  })
}

function readingOf(t: number, screen: string, failed: boolean): Reading[] {
  const { shows, for: kind = 'dialog', input = '' } = readScreen(screen)
  if (shows === 'nothing') return []
  if (shows === 'dialog') return [{ t, state: 'waiting', for: kind }]
  if (shows !== 'prompt' && shows !== 'text') return [{ t, state: 'working' }]
  const state = failed || endsInError(screen) ? 'error' : 'idle'
  // The list of commands that opens while typing is not an answer.
  const mayGoOn = shows === 'text' && !input.startsWith('/')
  return [{ t, state, ...(mayGoOn && { answer: answerOn(screen) }) }]
}

/** Each state once, from its beginning; work goes on while its answer is being written. */
function whole(readings: readonly Reading[], now: number): readonly Truth[] {
  const truths: Truth[] = []
  for (const [index, { answer, ...truth }] of readings.entries()) {
    const last = truths.at(-1)
    if (last?.state === truth.state && last.for === truth.for) continue
    if (last?.state === 'working' && answer !== undefined) {
      const next = readings.slice(index + 1).find((other) => other.answer !== answer)
      const soon = (next?.t ?? now) - truth.t <= GOES_ON_MS
      if (soon && (next === undefined || goesOn(answer, next.answer))) continue
    }
    truths.push(truth)
  }
  return truths
}

/** An answer is recognised by its end: its beginning may have scrolled off. */
const END_CHARACTERS = 40

function goesOn(answer: string, later = ''): boolean {
  return answer !== '' && later.includes(answer.slice(-END_CHARACTERS))
}

function steady(truths: readonly Truth[]): readonly Truth[] {
  const kept: Truth[] = []
  for (const truth of truths) {
    const [before, short] = kept.slice(-2)
    const back = before?.state === truth.state && before.for === truth.for
    if (back && short && truth.t - short.t < FLICKER_MAX_MS) kept.pop()
    else kept.push(truth)
  }
  return kept
}

/** 1.0.128 draws a box around its dialogs and its greeting; later clients do not. */
function unboxed(screen: string): string {
  return screen.replaceAll(/^[╭╰].*$/gm, '').replaceAll(/^│(.*?)│?$/gm, ' $1')
}

/** The text above the input line, without notices at the right margin. */
function aboveInput(screen: string): readonly string[] {
  const lines = screen.split('\n')
  const input = lines.findLastIndex((line) => /^[❯>!]/.test(line))
  return lines.filter((line, index) => index < input && !/^(\s*$|\s{12,}|─)/.test(line))
}

function answerOn(screen: string): string {
  const above = aboveInput(screen)
  return above.slice(above.findLastIndex((line) => /^[❯>]/.test(line)) + 1).join('\n')
}

const FAILED = /^([●⏺] .*|\s+⎿\s+)(API Error|Invalid API key)/

/** The last text above the input line is the API's error: as an answer, or under the prompt. */
function endsInError(screen: string): boolean {
  const said = (line: string) => FAILED.test(line) || /^[●⏺❯>]/.test(line)
  return FAILED.test(aboveInput(screen).findLast(said) ?? '')
}
