import type { Mutant } from './mutants.ts'

const ATTENTION = 'src/core/attention.ts'
const SHOWN = 'src/core/attention.test.ts'

/** When a session calls its user, and what is unusual: each rule broken once. */
export const ATTENTION_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'attention: a question of an earlier turn calls',
    file: ATTENTION,
    find: 'last?.asks === true && last.at >= begunAt',
    replace: 'last?.asks === true',
    test: SHOWN,
    caughtBy: 'A7',
  },
  {
    breaks: 'attention: the setting for questions is not asked',
    file: ATTENTION,
    find: 'return questions && last',
    replace: 'return (questions || true) && last',
    test: SHOWN,
    caughtBy: 'A7',
  },
  {
    breaks: 'attention: talk within a loop calls at once',
    file: ATTENTION,
    find: 'const waits = ended && goesOn',
    replace: "const waits = after === 'work' && goesOn",
    test: SHOWN,
    caughtBy: 'LP87',
  },
  {
    breaks: 'attention: a setting is in force after the next start',
    file: 'src/daemon/assemble.ts',
    find: '  settings.follow(({ attention }) => engine.setAttention(attention))\n',
    replace: '',
    test: 'test/decide/settings.test.ts',
    caughtBy: 'A7',
  },
  {
    breaks: 'attention: an export hides that something was asked',
    file: 'src/agents/claude/redact/texts.ts',
    find: "[{ keep: '?' }] : []",
    replace: '[] : []',
    test: 'src/surfaces/cli/redact.test.ts',
    caughtBy: 'A7',
  },
  {
    breaks: 'attention: a tool is unusually long after ten minutes',
    file: 'src/view/shape.ts',
    find: 'ms <= LONG_TOOL_MS || ms <= usualMs * LONG_TOOL_TIMES',
    replace: 'ms <= LONG_TOOL_MS',
    test: 'src/daemon/tool-times.test.ts',
    caughtBy: 'VW30',
  },
  {
    breaks: 'attention: a tool is compared with those of other folders',
    file: 'src/daemon/tool-times.ts',
    find: "details.cwd ?? ''",
    replace: "details.cwd === '' ? 'x' : ''",
    test: 'src/daemon/tool-times.test.ts',
    caughtBy: 'VW30',
  },
]
