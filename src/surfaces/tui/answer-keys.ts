import type { OpenRequest, RequestAnswer } from '../../protocol/request.ts'
import { abilitiesOf, canAnswer, requestOf } from '../../view/board/abilities.ts'
import { detailsOf, noticed, selectedOf } from '../../view/board/board.ts'
import { type AnswerDraft, stepWith, type TerminalState, type TerminalStep } from './state.ts'

/**
 * SPEC AN26. The client ignores keys in the first half second of its own dialogs, too: a user who
 * is typing must not answer a request that has just appeared.
 */
export const SEEN_MS = 500

const WORD_MAX_CHARACTERS = 500

/** Keys that begin an answer while the list is shown. */
export type AnswerKey = 'y' | 'Y' | 'd'

/** Begins to answer the current request of the selected session. */
export function begun(state: TerminalState, key: AnswerKey): TerminalStep {
  const [session, request] = [selectedOf(state), requestOf(state)]
  if (!session) return stepWith(state)
  const { answer } = abilitiesOf(session, detailsOf(state))
  if (!request || answer !== null) return stepWith(noticed(state, answer ?? ''))
  if (!state.read || state.now - state.read.since < SEEN_MS)
    return stepWith(noticed(state, 'the request has just appeared; read it first'))
  if (key === 'd') return stepWith({ ...state, answering: { mode: 'word', request, text: '' } })
  const unseen = unseenWords(state, request)
  if (unseen !== null) return stepWith(noticed(opened(state), unseen))
  if (request.kind === 'question')
    return stepWith({ ...state, answering: { mode: 'question', ...firstOf(request) } })
  if (key === 'Y' && request.suggestions.length === 0)
    return stepWith(noticed(state, 'the client has no suggestions; press y to allow it once'))
  if (key === 'Y') return stepWith({ ...state, answering: { mode: 'suggestion', request } })
  return sent(state, request, { choice: 'allow', where: 'live' })
}

/** SPEC SH8. Why the request cannot be allowed yet: not all of it was visible for long enough. */
function unseenWords({ read, now }: TerminalState, { cut }: OpenRequest): string | null {
  if (cut) return 'the request is too long to be shown in full; answer it in its terminal'
  if (!read || read.wholeAt === null) return 'scroll to the end first: press space'
  return now - read.wholeAt < SEEN_MS ? 'its end has just appeared; read it first' : null
}

function opened(state: TerminalState): TerminalState {
  return state.shows === 'request' ? state : { ...state, shows: 'request', scroll: 0 }
}

type Draft<M extends AnswerDraft['mode']> = Extract<AnswerDraft, { mode: M }>

function firstOf(request: OpenRequest) {
  return { request, at: 0, cursor: 0, chosen: request.questions.map(() => []), own: null }
}

/** Handles keys while the user answers. */
export function answeringKey(
  state: TerminalState,
  answering: AnswerDraft,
  key: string,
): TerminalStep {
  if (key === 'escape' && !(answering.mode === 'question' && answering.own !== null))
    return stepWith({ ...state, answering: null })
  switch (answering.mode) {
    case 'word':
      return inWord(state, answering, key)
    case 'suggestion':
      return inSuggestions(state, answering, key)
    case 'question':
      return answering.own === null
        ? inQuestion(state, answering, key)
        : inOwnWords(state, answering, answering.own, key)
  }
}

function inWord(state: TerminalState, answering: Draft<'word'>, key: string): TerminalStep {
  if (key !== 'enter')
    return stepWith({ ...state, answering: { ...answering, text: typedOn(answering.text, key) } })
  const word = answering.text.trim()
  const answer: RequestAnswer = { choice: 'deny', ...(word !== '' && { word }), where: 'live' }
  return sent(state, answering.request, answer)
}

function inSuggestions(
  state: TerminalState,
  { request }: Draft<'suggestion'>,
  key: string,
): TerminalStep {
  const chosen = /^[1-9]$/.test(key) ? request.suggestions[Number(key) - 1] : undefined
  if (!chosen) return stepWith(state)
  return sent(state, request, { choice: 'allow', suggestion: chosen.index, where: 'live' })
}

function inQuestion(state: TerminalState, answering: Draft<'question'>, key: string): TerminalStep {
  const { request, at, cursor, chosen } = answering
  const question = request.questions[at]
  const options = question?.options ?? []
  const moved = (to: number) =>
    stepWith({ ...state, answering: { ...answering, cursor: Math.min(options.length - 1, to) } })
  if (key === 'up' || key === 'k') return moved(Math.max(0, cursor - 1))
  if (key === 'down' || key === 'j') return moved(cursor + 1)
  if (key === 'o') return stepWith({ ...state, answering: { ...answering, own: '' } })
  if (key === 'backspace' && at > 0)
    return stepWith({ ...state, answering: { ...answering, at: at - 1, cursor: 0 } })
  const number = /^[1-9]$/.test(key) ? Number(key) - 1 : undefined
  if (number !== undefined || key === ' ') {
    const label = options[number ?? cursor]?.label
    if (label === undefined) return stepWith(state)
    const labels = question?.several ? toggled(chosen[at] ?? [], label) : [label]
    const next = { ...answering, cursor: number ?? cursor, chosen: chosen.with(at, labels) }
    return question?.several || key === ' '
      ? stepWith({ ...state, answering: next })
      : onward(state, next)
  }
  if (key !== 'enter') return stepWith(state)
  const label = options[cursor]?.label
  const some = (chosen[at] ?? []).length > 0 || label === undefined
  return onward(state, some ? answering : { ...answering, chosen: chosen.with(at, [label]) })
}

function inOwnWords(
  state: TerminalState,
  answering: Draft<'question'>,
  own: string,
  key: string,
): TerminalStep {
  if (key === 'escape') return stepWith({ ...state, answering: { ...answering, own: null } })
  if (key !== 'enter')
    return stepWith({ ...state, answering: { ...answering, own: typedOn(own, key) } })
  const words = own.trim()
  if (words === '') return stepWith({ ...state, answering: { ...answering, own: null } })
  const { at, chosen, request } = answering
  const labels = request.questions[at]?.several ? [...(chosen[at] ?? []), words] : [words]
  return onward(state, { ...answering, own: null, chosen: chosen.with(at, labels) })
}

/** To the next question; after the last one the answers are sent. */
function onward(state: TerminalState, answering: Draft<'question'>): TerminalStep {
  const { request, at, chosen } = answering
  if ((chosen[at] ?? []).length === 0) return stepWith({ ...state, answering })
  if (at + 1 < request.questions.length)
    return stepWith({ ...state, answering: { ...answering, at: at + 1, cursor: 0 } })
  const answers = Object.fromEntries(
    request.questions.map(({ question, several }, i) => {
      const labels = chosen[i] ?? []
      return [question, several ? labels : (labels[0] ?? '')]
    }),
  )
  return sent(state, request, { choice: 'answer', answers, where: 'live' })
}

function toggled(labels: readonly string[], label: string): readonly string[] {
  return labels.includes(label) ? labels.filter((one) => one !== label) : [...labels, label]
}

function typedOn(text: string, key: string): string {
  if (key === 'backspace') return [...text].slice(0, -1).join('')
  return [...key].length === 1 && text.length < WORD_MAX_CHARACTERS ? text + key : text
}

/** SPEC SH5. The answer refers to what was shown. */
function sent(state: TerminalState, request: OpenRequest, given: RequestAnswer): TerminalStep {
  const answer = { ...given, shown: request.digest }
  const back = { ...state, answering: null, shows: 'sessions' as const, scroll: 0 }
  return { state: back, effects: [{ do: 'answer', request, answer }] }
}

/** SPEC AN14. The request is over: typed input goes nowhere. */
export function withdrawn(state: TerminalState): TerminalState {
  const { answering, shows, sessions, details } = state
  if (answering && canAnswer(sessions.get(answering.request.session), answering.request))
    return state
  const isRead = !answering && shows === 'request' && (details?.requests ?? []).length > 0
  if (!answering && (!isRead || requestOf(state))) return state
  const back = { ...state, answering: null, shows: 'sessions' as const, scroll: 0 }
  return noticed(back, 'the request is over: it was answered elsewhere')
}
