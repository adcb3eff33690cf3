import { agentOf } from '../../agents/index.ts'
import type { AnswerKeys } from '../../agents/pane-answers.ts'
import type { RequestChoice } from '../../protocol/request.ts'
import type { DialogAnswer } from '../panes/dialog.ts'
import type { LocalPanes } from '../panes/panes.ts'
import { Problem } from '../problem.ts'
import type { AnswerableRequests } from './answerable.ts'
import type { StoredRequest } from './stored-request.ts'

/** The part of panes that requests use. */
export type DialogPanes = Pick<LocalPanes, 'answer' | 'switched' | 'typing' | 'whyUnanswerable'>

/** A subagent's dialog is drawn some frames after its hook; one behind another much later. */
const FIRST_MS = 500
const GROWS = 1.5
const LATER_MS = 5_000

/**
 * SPEC AN34. Requests without a waiting hook, found and answered in their session's pane: looked
 * for again while not visible, and only where typing is allowed (elsewhere no screen is read).
 */
export class PaneRequests {
  readonly #open: AnswerableRequests
  readonly #panes: DialogPanes
  readonly #looking = new Set<string>()
  readonly #answered = new Set<string>()
  readonly #later = new Map<string, NodeJS.Timeout>()
  readonly #forget: () => void

  constructor(open: AnswerableRequests, panes: DialogPanes) {
    this.#open = open
    this.#panes = panes
    this.#forget = panes.switched.add((session) => this.look(session))
  }

  look(session: string, waitMs = FIRST_MS): void {
    clearTimeout(this.#later.get(session))
    this.#later.delete(session)
    if (this.#open.unheard(session).length === 0) return
    if (this.#looking.has(session)) this.#lookIn(session, waitMs)
    else void this.#look(session, waitMs)
  }

  /** SPEC AN33. Resolves when it was answered. On failure the request stays open. */
  async answer(stored: StoredRequest, choice: RequestChoice, note: DialogAnswer['note']) {
    const { id, asked } = stored
    if (this.#answered.has(id)) throw new Problem(409, 'the request is being answered already')
    this.#answered.add(id)
    try {
      const keysOn = (screen: string) => keysOf(this.#open, stored, screen, choice)
      await this.#panes.answer(asked.session, { keysOn, note })
    } finally {
      this.#answered.delete(id)
      this.look(asked.session)
    }
  }

  close(): void {
    this.#forget()
    for (const timer of this.#later.values()) clearTimeout(timer)
  }

  async #look(session: string, waitMs: number): Promise<void> {
    this.#looking.add(session)
    let isMissing = false
    try {
      for (const stored of this.#open.unheard(session)) {
        const keysOn = (screen: string) => keysOf(this.#open, stored, screen, undefined)
        const why = await this.#panes.whyUnanswerable(session, keysOn)
        isMissing ||= why !== undefined
        this.#open.looked(stored, why ?? null)
      }
    } finally {
      this.#looking.delete(session)
    }
    if (isMissing && this.#panes.typing(session).on) this.#lookIn(session, waitMs)
  }

  #lookIn(session: string, waitMs: number): void {
    const nextMs = Math.min(waitMs * GROWS, LATER_MS)
    clearTimeout(this.#later.get(session))
    this.#later.set(session, setTimeout(() => this.look(session, nextMs), waitMs).unref())
  }
}

/** SPEC AN33. Keys for the one request whose dialog the screen shows; none if two are alike. */
function keysOf(
  { held }: Pick<AnswerableRequests, 'held'>,
  stored: StoredRequest,
  screen: string,
  choice: RequestChoice | undefined,
): AnswerKeys {
  const answers = agentOf(stored.agent)?.paneAnswers
  if (!answers) return { why: 'vigil cannot read this agent’s dialogs' }
  const others = held.ofSession(stored.asked.session).filter(({ id }) => id !== stored.id)
  const isLike = ({ asked }: StoredRequest) => 'keys' in answers.keysFor(asked, screen, undefined)
  const keys = answers.keysFor(stored.asked, screen, choice)
  return 'keys' in keys && others.some(isLike)
    ? { why: 'the session asks for the same thing twice' }
    : keys
}
