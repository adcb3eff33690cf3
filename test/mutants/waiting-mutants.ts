import type { Mutant } from './mutants.ts'

const daemon = { file: 'src/daemon/requests/requests.ts', test: 'test/answer/requests.test.ts' }
const answerable = { ...daemon, file: 'src/daemon/requests/answerable.ts' }
const pipes = {
  file: 'src/daemon/requests/waiting-hooks.ts',
  test: 'test/answer/waiting-hooks.test.ts',
}
const hook = { file: 'hook/vigil-hook', test: 'test/hook/answer-request.test.ts' }
const asker = { ...hook, file: 'bin/answer.js' }

/** Hooks that wait for answers, broken one rule at a time. */
export const WAITING_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'a hook waits while answering is off',
    ...hook,
    find: ' && [ -d "$run/waiting" ]',
    replace: '',
    caughtBy: 'AN11',
  },
  {
    breaks: 'a client without a terminal waits for its hook',
    ...hook,
    find: '[ -n "$attended" ] && ',
    replace: '',
    caughtBy: 'AN11',
  },
  {
    breaks: 'the hook of a subagent waits, and its dialog is not drawn',
    ...hook,
    file: 'src/agents/hook-script.ts',
    find: "['!', 'payload_has', shellQuoted(test.lacks)]",
    replace: "['true']",
    caughtBy: 'AN11',
  },
  {
    breaks: 'a subagent’s hook is held by the daemon',
    ...daemon,
    find: 'if (isOver || stored.asked.actor !== null)',
    replace: 'if (isOver)',
    caughtBy: 'AN11',
  },
  {
    breaks: 'hooks go on waiting after answering was switched off',
    ...pipes,
    find: '    this.#try(() => rmdirSync(this.#folder))\n',
    replace: '',
    caughtBy: 'AN12',
  },
  {
    breaks: 'what is no pipe of a hook is taken for one',
    ...pipes,
    find: 'if (stats.isFIFO() && stats.uid === process.getuid?.())',
    replace: 'if (stats)',
    caughtBy: 'AN18',
  },
  {
    breaks: 'a hook whose report is yet to be read is ended',
    ...pipes,
    find: 'if (!existsSync(join(this.#spool, name))) ',
    replace: '',
    caughtBy: 'AN17',
  },
  {
    breaks: 'a hook that waited for nothing stays',
    ...daemon,
    find: '    this.#open.hooks.endAllBut((name) => open.has(name))\n',
    replace: '',
    caughtBy: 'AN17',
  },
  {
    breaks: 'an answer that its hook did not get is lost',
    ...daemon,
    find: 'if (!this.#answers.has(stored)) this.#release(stored)',
    replace: 'this.#release(stored)',
    caughtBy: 'AN17',
  },
  {
    breaks: 'a hook looks for its answer again and again',
    ...hook,
    find: '  while read -r word <&7; do\n',
    replace: '  while sleep 0.1; word=answer; do\n',
    caughtBy: 'AN10',
  },
  {
    breaks: 'a hook that waits cannot be ended by its client',
    ...hook,
    find: "  trap 'exit 0' HUP INT QUIT TERM\n",
    replace: '',
    caughtBy: 'AN19',
  },
  {
    breaks: 'a hook waits on when answering is switched off',
    ...answerable,
    find: '    else this.hooks.close()\n',
    replace: '',
    caughtBy: 'AN13',
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
    find: 'this.#kept.keep(one)',
    replace: 'void one',
    caughtBy: 'AN17',
  },
  {
    breaks: 'anything the daemon says is printed',
    ...hook,
    find: '  is_answer "$code" "$said" || return\n',
    replace: '',
    caughtBy: 'AN19',
  },
  {
    breaks: 'the answer reaches the agent before the log',
    ...daemon,
    find: '    note(output)\n    this.#give(stored, output)',
    replace: '    this.#give(stored, output)\n    note(output)',
    caughtBy: 'AN20',
  },
  {
    breaks: 'a hook that has left is said to wait',
    ...answerable,
    find: '|| this.hooks.waits(stored.spooled.name)) return null',
    replace: '|| stored.waits) return null',
    caughtBy: 'AN18',
  },
]
