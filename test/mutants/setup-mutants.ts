import type { Mutant } from './mutants.ts'

/** Installing and listing agents. */
export const SETUP_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'what 0.7.0 installed is not known any more',
    file: 'src/install/note.ts',
    find: 'z.union([Note, Note1])',
    replace: 'Note',
    test: 'test/install/old-note.test.ts',
    caughtBy: 'AG7',
  },
  {
    breaks: 'of two files only the first is taken back',
    file: 'src/install/plan.ts',
    find: 'if (noted && text === noted.after) return before',
    replace: 'if (noted && text === noted.after) return file === setup.files[0] ? before : text',
    test: 'test/install/two-files.test.ts',
    caughtBy: 'AG6',
  },
  {
    breaks: 'an uninstall of one agent forgets the others',
    file: 'src/install/uninstall.ts',
    find: '.filter(([agent]) => !gone.has(agent))',
    replace: '.filter(() => gone.size < 0)',
    test: 'test/install/two-files.test.ts',
    caughtBy: 'AG4',
  },
  {
    breaks: 'any command is the first agent',
    file: 'src/surfaces/cli/run.ts',
    find: 'if (agent) return agent',
    replace: 'if (agent ?? AGENTS[0]) return (agent ?? AGENTS[0]) as Agent',
    test: 'src/surfaces/cli/agents-known.test.ts',
    caughtBy: 'AG5',
  },
  {
    breaks: 'an agent that is nowhere is set up',
    file: 'src/surfaces/cli/install-which.ts',
    find: '(only || isFound)',
    replace: '(only || agent)',
    test: 'src/surfaces/cli/agents-known.test.ts',
    caughtBy: 'AG4',
  },
  {
    breaks: 'an install that somebody broke counts as whole',
    file: 'src/surfaces/cli/agents.ts',
    find: "worst?.level === 'ok'",
    replace: 'isNoted',
    test: 'test/commands/agents.test.ts',
    caughtBy: 'AG1',
  },
]
