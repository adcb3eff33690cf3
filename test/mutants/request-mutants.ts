import type { Mutant } from './mutants.ts'

const choice = { file: 'src/agents/claude/answer.ts', test: 'src/agents/claude/answer.test.ts' }
const offers = { ...choice, file: 'src/agents/claude/answer-offers.ts' }
const asked = { ...choice, file: 'src/agents/claude/answer-request.ts' }
const daemon = {
  file: 'src/daemon/requests/requests.ts',
  test: 'test/answer/requests.test.ts',
}
const api = { file: 'src/daemon/api/routes/requests.ts', test: 'test/api/requests.test.ts' }
const hook = { file: 'hook/vigil-hook', test: 'test/hook/answer-request.test.ts' }
const asker = { file: 'bin/answer.js', test: 'test/hook/answer-request.test.ts' }
const keys = {
  file: 'src/surfaces/tui/answer-keys.ts',
  test: 'src/surfaces/tui/answer-keys.test.ts',
}

/** Answers from elsewhere, broken one rule at a time. */
export const REQUEST_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'a plan is approved without its input, and the client goes on asking',
    ...choice,
    find: "asked.kind === 'plan' ? { updatedInput: asked.input } : {}",
    replace: '{}',
    caughtBy: 'AN1',
  },
  {
    breaks: 'a word to the agent is lost',
    ...choice,
    find: 'message: word?.trim() || NO_WORD',
    replace: 'message: NO_WORD',
    caughtBy: 'AN2',
  },
  {
    breaks: 'bypassing every permission is offered as a suggestion',
    ...offers,
    find: "  plan: 'plan first',",
    replace: "  plan: 'plan first',\n  bypassPermissions: 'allow everything',",
    caughtBy: 'AN3',
  },
  {
    breaks: 'answers go to the client without the question',
    ...choice,
    find: '{ ...fields(asked.input), answers: Object.fromEntries(told) }',
    replace: '{ answers: Object.fromEntries(told) }',
    caughtBy: 'AN4',
  },
  {
    breaks: 'an input of any length is told',
    ...asked,
    find: 'const INPUT_MAX_CHARS = 256 * 1024',
    replace: 'const INPUT_MAX_CHARS = 256 * 1024 * 1024',
    caughtBy: 'AN5',
  },
  {
    breaks: 'an answer that nobody asked for is passed on',
    ...choice,
    find: 'if (unasked !== undefined)',
    replace: 'if (unasked === null)',
    caughtBy: 'AN8',
  },
  {
    breaks: 'whoever has the token answers over a port',
    ...api,
    find: "      who: 'person',\n",
    replace: '',
    caughtBy: 'AN9',
  },
  {
    breaks: 'an agent answers for its user',
    file: 'src/surfaces/cli/answer-which.ts',
    test: 'test/answer/commands.test.ts',
    find: "  refuseAgents(sessions, 'answers what agents ask')\n",
    replace: '',
    caughtBy: 'AN9',
  },
  {
    breaks: 'every request is waited for, whoever could answer',
    ...hook,
    find: ' && [ -e "$run/answerable" ]',
    replace: '',
    caughtBy: 'AN11',
  },
  {
    breaks: 'a client without a terminal waits for its hook',
    ...hook,
    find: 'CLAUDE_CODE_ENTRYPOINT:-cli',
    replace: 'NOBODY_SETS_THIS:-cli',
    caughtBy: 'AN11',
  },
  {
    breaks: 'the hook of a subagent waits, and its dialog is not drawn',
    ...hook,
    find: '    ! LC_ALL=C grep -q \'"agent_id":"\' "$report"\n',
    replace: '    true\n',
    caughtBy: 'AN11',
  },
  {
    breaks: 'a subagent’s hook is held by the daemon',
    ...daemon,
    find: "    if (kept.asked.actor !== null) return { act: 'nothing' }\n",
    replace: '',
    caughtBy: 'AN11',
  },
  {
    breaks: 'a client that does not tell subagents is waited in',
    file: 'src/agents/claude/events.ts',
    test: 'src/agents/claude/events.test.ts',
    find: 'version !== undefined && isAtLeast(version, TELLS_SUBAGENTS_SINCE)',
    replace: 'true',
    caughtBy: 'AN11',
  },
  {
    breaks: 'the mark stays when nobody could answer',
    file: 'src/daemon/requests/able.ts',
    test: 'test/answer/able.test.ts',
    find: 'else rmSync(this.#mark, { force: true })',
    replace: '',
    caughtBy: 'AN12',
  },
  {
    breaks: 'a page that is loaded again lets every hook go',
    file: 'src/daemon/requests/able.ts',
    test: 'test/answer/requests.test.ts',
    find: 'const LINGER_MS = 60_000',
    replace: 'const LINGER_MS = 6_000',
    caughtBy: 'AN13',
  },
  {
    breaks: 'a hook waits on when answering is switched off',
    ...daemon,
    find: "      for (const id of [...this.#hooks.keys()]) this.#release(id, { act: 'nothing' })\n",
    replace: '      return\n',
    caughtBy: 'AN13',
  },
  {
    breaks: 'an answered request is answered again',
    ...daemon,
    find: 'this.#end(kept, `answered $',
    replace: 'void (`answered $',
    caughtBy: 'AN14',
  },
  {
    breaks: 'what was answered in the terminal stays to be answered',
    ...daemon,
    find: '      if (how !== undefined) this.#end(kept, how)\n',
    replace: '',
    caughtBy: 'AN15',
  },
  {
    breaks: 'a dialog that follows another at once is taken for over',
    file: 'src/daemon/requests/over.ts',
    test: 'test/answer/requests.test.ts',
    find: 'openRequests(facts, 0)',
    replace: 'openRequests(facts)',
    caughtBy: 'AN15',
  },
  {
    breaks: 'who begins to listen does not hear what is asked',
    file: 'src/daemon/api/events.ts',
    test: 'test/api/requests.test.ts',
    find: '    for (const asks of asking.asks()) this.#asks.set(asks.session, asks)\n',
    replace: '',
    caughtBy: 'AN16',
  },
  {
    breaks: 'a hook gives up when its daemon ends',
    ...asker,
    find: "const GONE = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']",
    replace: 'const GONE = []',
    caughtBy: 'AN17',
  },
  {
    breaks: 'what was open is forgotten with the daemon',
    ...daemon,
    find: '    this.#save(() => this.#parts.book.keepRequest(rowOf(kept)))\n',
    replace: '',
    caughtBy: 'AN17',
  },
  {
    breaks: 'anything the daemon says is printed',
    ...asker,
    find: "told.act === 'decide' && isDecision(told.output)",
    replace: "told.act === 'decide'",
    caughtBy: 'AN19',
  },
  {
    breaks: 'the agent is told before the log',
    ...daemon,
    find: `    this.#parts.acts.note({ session, what: 'answer', who, where, words })
    this.#release(id, { act: 'decide', output: made })`,
    replace: `    this.#release(id, { act: 'decide', output: made })
    this.#parts.acts.note({ session, what: 'answer', who, where, words })`,
    caughtBy: 'AN20',
  },
  {
    breaks: 'among several requests the first is taken',
    file: 'src/surfaces/cli/answer-which.ts',
    test: 'test/answer/commands.test.ts',
    find: 'if (others.length > 0)',
    replace: 'if (others.length > 99)',
    caughtBy: 'AN23',
  },
  {
    breaks: 'a key answers what has just appeared',
    ...keys,
    find: 'const SEEN_MS = 500',
    replace: 'const SEEN_MS = 0',
    caughtBy: 'AN26',
  },
  {
    breaks: 'a word is typed on to what is over',
    ...keys,
    find: '  if (sessions.get(session)?.asks.includes(id)) return state\n',
    replace: '  if (sessions.has(session)) return state\n',
    caughtBy: 'AN27',
  },
  {
    breaks: 'a message leads to another session',
    file: 'src/surfaces/notify/message.ts',
    test: 'test/notify/web.test.ts',
    find: 'encodeURIComponent(first.id.toWellFormed())',
    replace: 'first.id',
    caughtBy: 'AN28',
  },
  {
    breaks: 'a button allows more than its notification shows',
    file: 'src/surfaces/notify/ask.ts',
    test: 'test/notify/local.test.ts',
    find: '!Object.keys(input).every((key) => KNOWN.includes(key))',
    replace: 'command === undefined',
    caughtBy: 'AN29',
  },
]
