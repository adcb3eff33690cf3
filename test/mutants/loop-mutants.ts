import type { Mutant } from './mutants.ts'

const loops = 'src/daemon/loops'

/** What keeps a loop from trapping anybody, broken one at a time. */
export const LOOP_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'an agent is answered though its loop could not be saved',
    file: `${loops}/open-loops.ts`,
    find: '    const open = isOpenLoop(run)\n',
    replace: '    const open = isOpenLoop(run)\n    if (open) this.#open.set(run.id, kept)\n',
    test: 'test/loop/keeper.test.ts',
    caughtBy: 'LP75',
  },
  {
    breaks: 'a fork takes the loop of a session that lives',
    file: `${loops}/keeper.ts`,
    find: "if (!parent || this.#parts.session(parent)?.state !== 'closed') return undefined",
    replace: 'if (!parent) return undefined',
    test: 'test/loop/keeper.test.ts',
    caughtBy: 'LP76',
  },
  {
    breaks: 'a Stop that waits for its loop ends the turn',
    file: 'src/core/rules/turn.ts',
    find: 'if (end?.asked && ',
    replace: 'if (false && ',
    test: 'src/core/rules/turn.test.ts',
    caughtBy: 'T13',
  },
  {
    breaks: 'a Stop that nobody asks about keeps its turn open for good',
    file: `${loops}/questions.ts`,
    find: '      if (open) this.#onLost(open.asked)\n',
    replace: '',
    test: 'test/loop/keeper.test.ts',
    caughtBy: 'LP73',
  },
  {
    breaks: 'Esc does not pause a loop',
    file: `${loops}/following.ts`,
    find: "'interrupt' && told) this.#pause(kept, INTERRUPTED)",
    replace: "'interrupt' && told) return",
    test: 'test/loop/following.test.ts',
    caughtBy: 'LP78',
  },
  {
    breaks: 'a prompt is typed over what its user writes',
    file: 'src/daemon/panes/type-into.ts',
    find: "    return input === '' ? undefined : 'something is being typed into it'",
    replace: '    return undefined',
    test: 'test/loop/pane.test.ts',
    caughtBy: 'LP72',
  },
  {
    breaks: 'a compaction forgets what the loop was for',
    file: `${loops}/keeper.ts`,
    find: "    if (sign.is === 'compacting') this.#anchor(sign.session)\n",
    replace: '',
    test: 'test/loop/keeper.test.ts',
    caughtBy: 'LP77',
  },
]
