import type { Facts } from './facts.ts'
import { isOpenSession, type Known, onlyOne } from './guess.ts'
import type { Signal } from './signal.ts'
import { isStandIn, PROCESS, type StandIns } from './stand-ins.ts'

/** SPEC L11. Sessions that a title shows by the id, or a screen by the newest prompt. */

/** Shorter beginnings of an id are too likely to be chance. */
const ID_CHARS_MIN = 23

/** With the session whose id the title shows. */
export function namedInTitle(known: Known, signal: Signal): Signal {
  if (signal.kind !== 'self-report') return signal
  const { idBegins: begins = '', about } = signal
  if (begins.length < ID_CHARS_MIN || about.pid === undefined) return signal
  if (about.session !== undefined) return signal
  const held = known.where.ofPid(about.pid)?.session
  if (held?.startsWith(begins)) return signal
  const session = onlyOne([...known.ids()].filter((id) => id.startsWith(begins)))
  if (session === undefined || !isOpenSession(known, session)) return signal
  return { ...signal, about: { ...about, session } }
}

/** Whether a signal may show which session a process has that stands under its own name. */
export function isShowing({ kind, source }: Signal): boolean {
  return kind === 'screen' || kind === 'words' || (kind === 'self-report' && source === 'title')
}

interface Shown {
  readonly id: string
  /** What shows it, as if it had named the session. */
  readonly by: Signal
}

/** What the processes without a session in the folders of this one show. */
export function* shownIn(known: Known, unnamed: StandIns, id: string): Generator<Shown> {
  const there = isStandIn(id) ? [id, ...known.where.beside(id)] : known.where.beside(id)
  const waiting = there.filter((one) => isWaiting(known, unnamed, one))
  for (const standIn of waiting) {
    const signals = unnamed.seen(standIn)
    const named = signals.map((signal) => namedInTitle(known, signal))
    const by = named.find(({ about }) => about.session !== undefined)
    const shown = by?.about.session ?? byPrompt(known, unnamed, standIn, waiting)
    const signal = by ?? signals.find(({ kind }) => kind === 'screen')
    if (shown === undefined || !signal) continue
    yield { id: shown, by: { ...signal, about: { ...signal.about, session: shown } } }
  }
}

function isWaiting(known: Known, unnamed: StandIns, id: string): boolean {
  return id.startsWith(PROCESS) && unnamed.has(id) && isOpenSession(known, id)
}

/**
 * The one session without a process whose user's newest prompt is the newest on this screen. None
 * where another process of the folder may show the same prompt: its session may not be known.
 */
function byPrompt(
  known: Known,
  unnamed: StandIns,
  standIn: string,
  waiting: readonly string[],
): string | undefined {
  const prompt = promptOn(unnamed, standIn)
  if (!prompt) return undefined
  const others = waiting.filter((other) => other !== standIn && unnamed.has(other))
  if (others.some((other) => (promptOn(unnamed, other) ?? prompt) === prompt)) return undefined
  const matching = known.where.beside(standIn).filter((id) => {
    const facts = isStandIn(id) ? undefined : known.facts(id)
    if (!facts || hasProcess(facts) || !isOpenSession(known, id)) return false
    return plain(facts.said.user?.text ?? '') === prompt
  })
  return onlyOne(matching)
}

/** The session of a closed terminal may go on, and be taken up in another. */
function hasProcess({ process, died }: Facts): boolean {
  return process !== undefined && process.pid !== died?.pid
}

/** Empty where a screen shows none, undefined where no screen was seen. */
function promptOn(unnamed: StandIns, id: string): string | undefined {
  const screen = unnamed.seen(id).find(({ kind }) => kind === 'screen')
  return screen?.kind === 'screen' ? plain(screen.prompt ?? '') : undefined
}

/** Without spaces, and without the question mark that an export keeps of a text. */
function plain(text: string): string {
  return text.replace(/\s+/g, '').replace(/\?+$/, '')
}
