import { type Facts, nothingKnown } from './facts.ts'
import { findSession } from './find-session.ts'
import { ForgetQueue } from './forget-queue.ts'
import {
  continuedBy,
  forkedFrom,
  formerOf,
  isContinuing,
  isDead,
  type Known,
  onlyOne,
  onlyPaneless,
  ownsItsProcess,
  withRunner,
} from './guess.ts'
import { Guesses } from './guesses.ts'
import { HandleIndex } from './handle-index.ts'
import { forSuccessor, inheritedTasks } from './inherit.ts'
import { inheritScreen } from './learn/screen.ts'
import { learn } from './learn.ts'
import { SESSIONS_MAX } from './limits.ts'
import type { Lineages } from './lineage.ts'
import { shifted } from './shift.ts'
import { isShowing, namedInTitle, shownIn } from './shown-session.ts'
import type { About, Signal } from './signal.ts'
import { type Gone, SCREEN, type StandIns } from './stand-ins.ts'

/**
 * All sessions of one agent, and which of them a signal is about: each source names a session by a
 * different handle (id, pid, pane, folder). The same signals give the same sessions (SPEC L1–L6).
 */
export class AgentSessions implements Known {
  readonly lineages: Lineages
  readonly #facts = new Map<string, Facts>()
  readonly where = new HandleIndex()
  readonly gone: Gone[] = []
  #joined: About | undefined
  readonly #unnamed: StandIns
  readonly #forgetQueue = new ForgetQueue()
  readonly #guessed = new Guesses()

  constructor(lineages: Lineages, standIns: StandIns) {
    this.lineages = lineages
    this.#unnamed = standIns
  }

  ids(): IterableIterator<string> {
    return this.#facts.keys()
  }

  facts(session: string): Facts | undefined {
    return this.#facts.get(session)
  }

  /** Learns the signal; returns the sessions whose facts it changed. */
  take(given: Signal): readonly string[] {
    const signal = namedInTitle(this, withRunner(this, given))
    const former = signal.kind === 'process' ? formerOf(this, signal) : undefined
    if (former !== undefined) this.#learn(former, signal)
    const id = signal.about.session ?? findSession(this, this.#unnamed, this.#guessed, signal)
    if (id === undefined) return former === undefined ? [] : [former]
    const isNew = !this.#facts.has(id)
    if (isNew) this.#add(id, signal.about.agent)
    this.#guessed.hear(id, signal)
    const touched = new Set<string>(former === undefined ? [] : [former])
    // All signals of a report have the same handles, so they are joined once per report.
    if (isNew || signal.about !== this.#joined) this.#join(id, signal, touched)
    this.#joined = signal.about
    if (isNew || signal.kind === 'opened') this.#adopt(id, signal, touched)
    const origin = forkedFrom(this, id, signal)
    if (origin !== undefined) this.lineages.link(id, origin)
    this.#learn(id, signal)
    this.#forward(id, signal, touched)
    if (isNew) this.#pairUp(touched)
    if (isShowing(signal)) this.#tie(id, touched)
    if (touched.size === 0) return [id]
    return [...touched.add(id)].filter((other) => this.#facts.has(other))
  }

  #learn(id: string, signal: Signal): void {
    const facts = this.#facts.get(id)
    if (!facts) return
    this.#facts.set(id, learn(facts, signal))
    this.#unnamed.keep(id, signal)
  }

  #add(id: string, agent: string): void {
    if (this.#facts.size >= SESSIONS_MAX) this.forget(this.#forgetQueue.next(this, this.#facts))
    this.#facts.set(id, nothingKnown(agent, id))
    this.where.add(id, id.startsWith(SCREEN))
  }

  /** SPEC L2. Ties pid, pane and folder to the session that a signal names together with them. */
  #join(id: string, signal: Signal, touched: Set<string>): void {
    const { pid, pane, folder, session } = signal.about
    if (folder !== undefined) this.where.settle(id, folder)
    if (pid !== undefined) this.#hold(pid, id, signal, touched)
    if (pane === undefined || session === undefined) return
    const held = this.where.ofPane(pane)
    if (held && this.#unnamed.has(held.session)) this.#absorb(held.session, id, touched)
    else if (held && held.session !== id && ownsItsProcess(this, held.session)) return
    if (held && held.at > signal.at) return
    this.where.holdPane(pane, id, signal.at)
    if (held && held.session !== id) this.#passScreen(held.session, id)
  }

  /** SPEC L6. The screen belongs to the pane: the session that gets the pane gets its screen. */
  #passScreen(from: string, to: string): void {
    const [giver, taker] = [this.#facts.get(from), this.#facts.get(to)]
    if (giver?.screen && taker) this.#facts.set(to, inheritScreen(taker, giver))
  }

  /** SPEC L1, L3. A process belongs to one session at a time: the newest that it named. */
  #hold(pid: number, id: string, signal: Signal, touched: Set<string>): void {
    const held = this.where.ofPid(pid)
    if (held?.session === id) {
      if (signal.at > held.at && signal.kind !== 'left') this.where.holdPid(pid, id, signal.at)
      return
    }
    // A session's end releases the process and does not claim it. A guessed owner gives way.
    const guessed = held !== undefined && this.#guessed.has(held.session)
    const newer = !held || guessed || (signal.at >= held.at && signal.kind !== 'left')
    if (newer) this.where.holdPid(pid, id, signal.at)
    if (!held) return
    if (this.#unnamed.has(held.session)) this.#absorb(held.session, id, touched)
    else if (guessed) this.#revoke(held.session, id, touched)
    else if (newer) this.#succeed(id, held.session, signal, signal.at, touched)
    else this.#succeed(held.session, id, signal, held.at, touched)
  }

  /** SPEC L1, L5. `child` continues `parent`: same process, same screen, same tasks. */
  #succeed(child: string, parent: string, signal: Signal, at: number, touched: Set<string>): void {
    if (isDead(this, parent, signal.about)) return
    // Returning to an earlier session of the lineage is a succession too, without a new link.
    this.lineages.link(child, parent)
    const successor = this.#facts.get(child)
    if (successor?.succeeded) this.#facts.set(child, { ...successor, succeeded: undefined })
    this.where.movePanes(parent, child)
    this.#passScreen(parent, child)
    for (const task of inheritedTasks(this.#facts.get(parent), signal)) this.#learn(child, task)
    const about = { agent: signal.about.agent, session: parent }
    this.#learn(parent, { kind: 'succeeded', at, source: signal.source, about })
    touched.add(parent)
  }

  #forward(parent: string, signal: Signal, touched: Set<string>): void {
    const [successor, facts] = [this.lineages.successorOf(parent), this.#facts.get(parent)]
    if (successor === undefined || !facts) return
    const news = forSuccessor(facts, signal, successor)
    if (!news) return
    this.#learn(successor, news)
    touched.add(successor)
  }

  /** SPEC L4. A newly named session takes over what was seen in its folder without a name. */
  #adopt(id: string, signal: Signal, touched: Set<string>): void {
    const { folder, session, pid } = signal.about
    if (folder === undefined || session === undefined || pid !== undefined) return
    if (this.#facts.get(id)?.process) return
    const there = this.where.inFolder(folder).filter((other) => other !== id)
    const standIn = onlyOne(there.filter((other) => this.#unnamed.has(other)))
    if (standIn !== undefined) this.#absorb(standIn, id, touched)
    const parent = isContinuing(signal)
      ? continuedBy(this, there, signal)
      : onlyOne(there.filter((other) => this.#guessed.has(other)))
    if (standIn === undefined && parent !== undefined) this.#replace(id, parent, signal, touched)
  }

  /** SPEC L1, L4. Replaces a session that was just cleared, or whose process was only guessed. */
  #replace(id: string, parent: string, signal: Signal, touched: Set<string>): void {
    const process = this.#facts.get(parent)?.process
    if (process) {
      this.where.holdPid(process.pid, id, signal.at)
      const about = { ...signal.about, pid: process.pid, start: process.start }
      this.#learn(id, { ...signal, kind: 'process', alive: true, ours: true, about })
    }
    if (this.#guessed.has(parent)) this.#revoke(parent, id, touched)
    else this.#succeed(id, parent, signal, signal.at, touched)
  }

  /** The process belonged to another session: that session gets the screen. */
  #revoke(guessed: string, id: string, touched: Set<string>): void {
    this.where.movePanes(guessed, id)
    this.#passScreen(guessed, id)
    const before = this.#guessed.revoke(guessed)
    if (before) this.#facts.set(guessed, before)
    touched.add(guessed)
  }

  /** SPEC L6. With one screen without a session and one session without a screen, the two match. */
  #pairUp(touched: Set<string>): void {
    const screen = onlyOne(this.#unnamed.screens())
    const id = screen === undefined ? undefined : onlyPaneless(this)
    if (screen !== undefined && id !== undefined && id !== screen) this.#absorb(screen, id, touched)
  }

  /** SPEC L11. The stand-ins of the session's folders whose screen or title shows their session. */
  #tie(id: string, touched: Set<string>): void {
    for (const shown of shownIn(this, this.#unnamed, id)) this.#join(shown.id, shown.by, touched)
  }

  /** The stand-in was this session: the session gets the signals seen so far. */
  #absorb(standIn: string, id: string, touched: Set<string>): void {
    const seen = this.#unnamed.close(standIn)
    this.where.movePanes(standIn, id)
    this.#passScreen(standIn, id)
    this.forget(standIn, id)
    for (const signal of seen.filter(({ kind }) => kind !== 'screen')) {
      if (signal.about.pid !== undefined) this.where.holdPid(signal.about.pid, id, signal.at)
      this.#learn(id, signal)
    }
    touched.add(id)
  }

  /** SPEC M8. The clock was set back: facts keep their distance to the present. */
  shift(byMs: number): void {
    for (const [id, facts] of this.#facts) this.#facts.set(id, shifted(facts, byMs))
    for (const part of [this.where, this.#unnamed, this.#guessed]) part.shift(byMs)
  }

  forget(id: string, became?: string): void {
    if (!this.#facts.delete(id)) return
    this.gone.push({ id, became })
    this.#unnamed.close(id)
    this.#guessed.revoke(id)
    this.where.forget(id)
    this.lineages.forget(id)
  }
}
