import type { Mutant } from './mutants.ts'

const cli = 'src/surfaces/cli'
const HABITS = 'test/commands/habits.test.ts'

/** What people and scripts expect of any command: each rule broken once. */
export const HABIT_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'habits: two letters swapped are two slips',
    file: `${cli}/command-entry.ts`,
    find: 'row.push(swapped ?',
    replace: 'row.push(swapped && i < 0 ?',
    test: 'src/app/commands.test.ts',
    caughtBy: 'CM20',
  },
  {
    breaks: 'habits: the parser’s errors have a prefix of their own',
    file: 'src/app/main.ts',
    find: ".replace(/^error: /, '')",
    replace: '',
    test: HABITS,
    caughtBy: 'CM21',
  },
  {
    breaks: 'habits: what ended long ago is waited for',
    file: `${cli}/wait.ts`,
    find: '(isOpen(session) || open.has(keyOf(session)))',
    replace: 'session.id.length > 0',
    test: HABITS,
    caughtBy: 'CM23',
  },
  {
    breaks: 'habits: what is piped is cut',
    file: `${cli}/output.ts`,
    find: 'this.#stream.columns || Number.POSITIVE_INFINITY',
    replace: 'this.#stream.columns || 100',
    test: HABITS,
    caughtBy: 'CM24',
  },
  {
    breaks: 'habits: NO_COLOR decides over FORCE_COLOR',
    file: `${cli}/paint.ts`,
    find: 'if (env.FORCE_COLOR)',
    replace: 'if (env.FORCE_COLOR && !env.NO_COLOR)',
    test: HABITS,
    caughtBy: 'CM25',
  },
  {
    breaks: 'habits: anything is approved as a plan',
    file: `${cli}/answer.ts`,
    find: "act === 'approve' && kind !== 'plan'",
    replace: "act === 'approve' && kind === 'question'",
    test: 'test/answer/commands.test.ts',
    caughtBy: 'AN32',
  },
  {
    breaks: 'habits: an agent allows typing everywhere',
    file: `${cli}/agent-may.ts`,
    find: 'words[options.all ? 0 : 1]',
    replace: 'words[1]',
    test: 'test/pane/daemon.test.ts',
    caughtBy: 'PA15',
  },
]
