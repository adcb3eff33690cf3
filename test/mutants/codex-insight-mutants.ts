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
  ...within('src/core/nested-threads.ts', 'src/core/nested-threads.test.ts', [
    ['a subagent of the client’s own thread is a session', 'return null', 'return thread', 'B10'],
  ]),
  ...within('src/tmux/server.ts', 'test/tmux/servers.test.ts', [
    ['a dead socket is asked again', 'if (this.#gone) throw this.#gone', '', 'TM38'],
    ['a server that begins has ended', 'socketAgeMs(this.socket) > BEGINS_MAX_MS', 'true', 'TM38'],
  ]),
  ...within('src/core/learn/process.ts', 'src/daemon/detached.test.ts', [
    [
      'an end that is reported again is newer',
      'held.at <= reported.at',
      'held.at > reported.at',
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
  ...within('src/agents/codex/figures.ts', 'src/agents/codex/figures.test.ts', [
    [
      'instructions count as used context',
      'BASELINE_TOKENS = 12_000',
      'BASELINE_TOKENS = 0',
      'CX60',
    ],
    ['a window of hours is one of minutes', 'MINUTE_MS = 60_000', 'MINUTE_MS = 1_000', 'CX61'],
  ]),
  ...within('src/agents/codex/server.ts', 'src/agents/codex/figures.test.ts', [
    ['a new name is not learnt', "case 'thread/name/updated':", "case 'thread/name':", 'CX62'],
  ]),
  ...within('src/agents/codex/rollout.ts', 'src/agents/codex/bad-input.test.ts', [
    [
      'a line of an unknown type ends the turn',
      "    default:\n      return []\n  }\n}\n\n/** A subagent's file",
      "    default:\n      return [{ kind: 'turn-interrupted' }]\n  }\n}\n\n/** A subagent's file",
      'CX63',
    ],
  ]),
  ...within('src/agents/codex/server.ts', 'src/agents/codex/bad-input.test.ts', [
    [
      'an unknown status means idle',
      '      return []\n  }\n}\n\nfunction activeWord',
      "      return [word('idle', 'idle')]\n  }\n}\n\nfunction activeWord",
      'CX64',
    ],
  ]),
  ...within('src/agents/codex/redact/texts.ts', 'src/surfaces/cli/redact-codex.test.ts', [
    ['texts of a rollout are exported', '{ hide: text }', '{ keep: text }', 'CX65'],
  ]),
  ...within('src/agents/codex/screen.ts', 'src/surfaces/cli/redact-codex.test.ts', [
    ['an exported screen is not read', '[0-9a-fx]{8}-', '[0-9a-f]{8}-', 'CX65'],
  ]),
  ...within('src/view/limits.ts', 'src/view/limits.test.ts', [
    ['a window that was reset is shown', 'resetsAt > now)', 'resetsAt > 0)', 'VW32'],
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
