import type { Mutant } from './mutants.ts'

const LOOP = {
  file: 'src/agents/codex/loop-event.ts',
  test: 'src/agents/codex/loop-event.test.ts',
}

/** Codex: its loops and its set-up. */
export const CODEX_SETUP_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'a subagent of Codex that stops is asked to go on',
    ...LOOP,
    find: "report.source === 'hook' && textIn(payload.agent_id) === undefined",
    replace: "report.source === 'hook'",
    caughtBy: 'CX50',
  },
  {
    breaks: 'a command of Codex that fails counts as progress',
    ...LOOP,
    find: '(done.exit_code ?? 0) !== 0',
    replace: '(done.exit_code ?? 0) === undefined',
    caughtBy: 'CX50',
  },
  {
    breaks: 'Codex is said to end a turn after some blocked Stops',
    ...LOOP,
    find: 'isCapped: () => false',
    replace: 'isCapped: () => true',
    caughtBy: 'CX51',
  },
  {
    breaks: 'a compaction of Codex is not noticed by its loop',
    ...LOOP,
    find: "case 'PreCompact':",
    replace: "case 'PostCompaction':",
    caughtBy: 'CX52',
  },
  {
    breaks: 'a check outlives its killed hook',
    file: 'src/surfaces/loop/run-group.ts',
    find: 'read -r _; kill -s KILL',
    replace: 'read -r _; true kill -s KILL',
    test: 'test/hook/answer-chores.test.ts',
    caughtBy: 'LP38',
  },
]
