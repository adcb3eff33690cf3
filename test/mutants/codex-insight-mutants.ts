import type { Mutant } from './mutants.ts'

type Breakage = readonly [breaks: string, find: string, replace: string, caughtBy: string]

const DETACHED = 'src/core/rules/detached.test.ts'
const SHOWN = 'test/surfaces/detached.test.ts'

/** Sessions without a terminal, and what rollouts tell besides the state. */
export const CODEX_INSIGHT_MUTANTS: readonly Mutant[] = [
  ...within('src/core/rules/closing.ts', DETACHED, [
    [
      'a detached session is closed when its pid is reused',
      '!process || isDetached(facts)',
      '!process || (isDetached(facts) && !facts.sighted)',
      'C7',
    ],
    [
      'a session that was idle goes on without its terminal',
      '(served.to ?? died.at) >= died.at',
      '(served.to ?? died.at) > 0',
      'C7',
    ],
    [
      'a detached session was closed with its terminal',
      'outlivesTerminal(facts) ?',
      'outlivesTerminal(facts) && !died ?',
      'C7',
    ],
  ]),
  ...within('src/core/rules/turn.ts', DETACHED, [
    ['an attached session begins anew', ' && !isServedThrough(facts)', '', 'C7'],
  ]),
  ...within('src/core/learn.ts', DETACHED, [
    [
      'a server that does not answer has ended its work',
      "if (status === 'other') return",
      '',
      'C7',
    ],
  ]),
  ...within('src/core/react.ts', 'src/core/react.test.ts', [
    ['a closed terminal is no change', 'a.detached === b.detached &&', '', 'M7'],
  ]),
  ...within('src/protocol/session-of.ts', SHOWN, [
    ['a detached session has a pane', 'pid: null, tmuxPane: null,', 'pid: null,', 'VW31'],
    ['any id is put into a command', 'resume?.every(isPlainWord)', 'resume', 'VW31'],
  ]),
  ...within('src/view/shape.ts', 'test/surfaces/same.test.ts', [
    ['a row does not say detached', "shown.detached ? DETACHED : ''", "''", 'VW10'],
  ]),
  ...within('src/surfaces/web/session/detached.tsx', SHOWN, [
    ['the page has no command to copy', '<Command text={attach} />', '<Command text="" />', 'VW31'],
  ]),
  ...within('src/tmux/jump.ts', 'test/tmux/jump.test.ts', [
    ['a jump opens no window', 'if (session.detached)', 'if (!session)', 'TM36'],
  ]),
  ...within('src/view/board/abilities.ts', SHOWN, [
    ['Enter attaches nothing', 'session.attach === null ?', 'session.detached ?', 'TM36'],
  ]),
  ...within('src/agents/claude/delivered.ts', 'src/agents/claude/delivered.test.ts', [
    ['a copied line is a late hook', ' || !this.#isExpected(shown) ?', ' ?', 'IN10'],
  ]),
]

function within(file: string, test: string, broken: readonly Breakage[]): Mutant[] {
  return broken.map(([breaks, find, replace, caughtBy]) => ({
    ...{ breaks, file, find, replace, test, caughtBy },
  }))
}
