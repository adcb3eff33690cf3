import type { Mutant } from './mutants.ts'

const text = {
  file: 'src/agents/drawn-text.ts',
  test: 'src/agents/drawn-text.test.ts',
}
const read = {
  file: 'src/agents/claude/pane-answer.ts',
  test: 'src/agents/claude/pane-answer.test.ts',
}
const pane = { file: 'src/daemon/panes/dialog.ts', test: 'test/pane/dialog.test.ts' }
const looks = { file: 'src/daemon/requests/pane-requests.ts', test: 'test/answer/in-pane.test.ts' }
const logged = { file: 'src/daemon/requests/logged-request.ts', test: 'test/answer/logged.test.ts' }
const requests = { ...looks, file: 'src/daemon/requests/requests.ts' }

/** Answers through a pane, broken one check at a time. */
export const DIALOG_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'a command that goes on where its screen ends is taken for the one on it',
    ...text,
    find: "return rest === ''",
    replace: 'return true',
    caughtBy: 'AN33',
  },
  {
    breaks: 'a line break is taken for a blank wherever it stands',
    ...text,
    find: "!isFull || !rest.startsWith(' ')",
    replace: "!rest.startsWith(' ')",
    caughtBy: 'AN33',
  },
  {
    breaks: 'characters that no screen shows are compared',
    ...text,
    find: 'UNSEEN.test(text) || lines',
    replace: 'lines',
    caughtBy: 'AN33',
  },
  {
    breaks: 'what stands below a dialog does not matter',
    ...read,
    find: 'end < 0 || below.length !== 1 || ',
    replace: 'end < 0 || ',
    caughtBy: 'AN33',
  },
  {
    breaks: 'any dialog of a command is the one that is asked about',
    ...read,
    find: 'return isThis ? choicesIn',
    replace: 'return above ? choicesIn',
    caughtBy: 'AN33',
  },
  {
    breaks: 'allowing once chooses what allows more',
    ...read,
    find: '/^Yes$/',
    replace: '/^Yes,/',
    caughtBy: 'AN33',
  },
  {
    breaks: 'a word to the agent is dropped in silence',
    ...read,
    file: 'src/agents/pane-answers.ts',
    find: '  if (choice.word?.trim()) return { why: TAKES_NO_WORD }\n  return keysOf',
    replace: '  return keysOf',
    caughtBy: 'AN33',
  },
  {
    breaks: 'an option is picked of another question',
    ...read,
    find: 'isDrawn(question.question, text, width) && ',
    replace: 'text.length > 0 && ',
    caughtBy: 'AN33',
  },
  {
    breaks: 'keys go to a dialog in its first half second',
    ...pane,
    find: 'const STANDS_MS = 600',
    replace: 'const STANDS_MS = 0',
    caughtBy: 'AN33',
  },
  {
    breaks: 'the screen is not compared once more before the keys',
    ...pane,
    find: "if ('why' in last) return last.why",
    replace: "if ('why' in last) return orWhy(() => Promise.resolve(undefined))",
    caughtBy: 'AN33',
  },
  {
    breaks: 'a dialog that still stands counts as answered',
    ...pane,
    find: "if ('why' in keysOn(await screenOf(access))) return undefined",
    replace: "if ('keys' in keysOn(await screenOf(access))) return undefined",
    caughtBy: 'AN33',
  },
  {
    breaks: 'a screen is looked at where typing is off',
    file: 'src/daemon/panes/panes.ts',
    test: 'test/pane/dialog.test.ts',
    find: 'return whyNoTyping(session, this.#policy, this.#allows) ?? whyNotShown(session, keysOn)',
    replace: 'return whyNotShown(session, keysOn)',
    caughtBy: 'AN34',
  },
  {
    breaks: 'a dialog that is drawn late is never seen',
    ...looks,
    find: 'if (isMissing && this.#panes.typing(session).on) this.#lookIn(session, waitMs)',
    replace: 'if (isMissing && waitMs < 0) this.#lookIn(session, waitMs)',
    caughtBy: 'AN34',
  },
  {
    breaks: 'of two requests alike the first is answered',
    ...looks,
    find: "'keys' in keys && others.some(isLike)",
    replace: "'keys' in keys && others.every(isLike) && others.length > 1",
    caughtBy: 'AN33',
  },
  {
    breaks: 'what is over by the time of the keys is answered',
    ...requests,
    find: '      this.#answerable(stored.id)\n      note(decision)',
    replace: '      note(decision)',
    caughtBy: 'AN33',
  },
  {
    breaks: 'of several calls without a result the first is what is asked',
    ...logged,
    find: '!call || others.length > 0 || ',
    replace: '!call || ',
    caughtBy: 'AN35',
  },
  {
    breaks: 'a log opens a request that hooks tell of',
    ...logged,
    find: 'return isWaiting && facts.heard.hook === undefined && !hasEnded',
    replace: 'return isWaiting && !hasEnded',
    caughtBy: 'AN35',
  },
  {
    breaks: 'a request of a log is open when its call has a result',
    ...logged,
    find: 'return isWaiting && facts.heard.hook === undefined && !hasEnded',
    replace: 'return isWaiting && facts.heard.hook === undefined',
    caughtBy: 'AN35',
  },
  {
    breaks: 'a request of a log comes back when it is over',
    file: 'src/daemon/requests/requests.ts',
    test: 'test/answer/logged.test.ts',
    find: 'if (logged && !this.#closedRequests.has(logged.id)) this.#add(logged)',
    replace: 'if (logged) this.#add(logged)',
    caughtBy: 'AN35',
  },
  {
    breaks: 'a call that a killed client has left is asked about for ever',
    file: 'src/agents/claude/answer-log.ts',
    test: 'src/agents/claude/answer-log.test.ts',
    find: "if (entry.type === 'user' && results.length === 0) open.clear()",
    replace: '',
    caughtBy: 'AN35',
  },
]
