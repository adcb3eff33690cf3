import type { Mutant } from './mutants.ts'

const LOOP = {
  file: 'src/agents/codex/loop-event.ts',
  test: 'src/agents/codex/loop-event.test.ts',
}

const CHECK = {
  file: 'src/agents/codex/server-check.ts',
  test: 'src/agents/codex/server-check.test.ts',
}

/** Codex: its loops and its set-up. */
export const CODEX_SETUP_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'a socket of another user is used',
    file: 'src/sources/servers/own-socket.ts',
    find: 'socket.uid !== uid || folder.uid !== uid',
    replace: 'false',
    test: 'test/sources/servers.test.ts',
    caughtBy: 'S31',
  },
  {
    breaks: 'a file that root makes for another user is root’s',
    file: 'src/install/files.ts',
    find: 'stats ?? statSync(dirname(draft))',
    replace: 'stats ?? { uid: 0, gid: 0 }',
    test: 'test/install/denied.test.ts',
    caughtBy: 'I28',
  },
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
    breaks: 'an escaped signal of Codex is not seen',
    ...LOOP,
    find: "'<$1>'",
    replace: "'&lt;$1>'",
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
    breaks: 'an error in a session without a pane needs its user though a server holds it',
    file: 'src/daemon/loops/following.ts',
    find: 'to?.tmuxPane !== null || isServed(to.id)',
    replace: 'to?.tmuxPane !== null',
    test: 'test/loop/following.test.ts',
    caughtBy: 'CX53',
  },
  {
    breaks: 'a check outlives its killed hook',
    file: 'src/surfaces/loop/run-group.ts',
    find: 'read -r _; kill -s KILL',
    replace: 'read -r _; true kill -s KILL',
    test: 'test/hook/answer-chores.test.ts',
    caughtBy: 'LP38',
  },
  {
    breaks: 'a command begins without its guard',
    file: 'src/surfaces/loop/run-group.ts',
    find: 'read -r _ <&3 || exit;',
    replace: 'read -r _ <&3;',
    test: 'src/surfaces/loop/run-group.test.ts',
    caughtBy: 'LP38',
  },
  {
    breaks: 'doctor counts a thread that has hooks of others alone',
    ...CHECK,
    find: "this.#commands.has(textIn(command) ?? '') && trustStatus",
    replace: 'trustStatus',
    caughtBy: 'CX54',
  },
  {
    breaks: 'doctor counts the thread that finds titles',
    ...CHECK,
    find: 'ephemeral === true || textIn(parentThreadId)',
    replace: 'textIn(parentThreadId)',
    caughtBy: 'CX54',
  },
  {
    breaks: 'doctor asks a server that another user may have replaced',
    file: 'src/sources/servers/check-server.ts',
    find: '{ path, why } = ownSocket(socketOf(home))',
    replace: '{ path, why } = { path: socketOf(home), why: undefined }',
    test: 'test/sources/check-server.test.ts',
    caughtBy: 'CX55',
  },
  {
    breaks: 'doctor offers an install into a broken config.toml of Codex',
    file: 'src/agents/codex/setup/check.ts',
    find: 'silencers(hooks, config, place.home)',
    replace: "silencers(hooks, isEmpty ? '' : config, place.home)",
    test: 'src/agents/codex/setup/check.test.ts',
    caughtBy: 'CX58',
  },
  {
    breaks: 'an old Codex is set up without a word',
    file: 'src/agents/codex/setup/plan.ts',
    find: '...olderThanTested(version)',
    replace: '...olderThanTested(version).slice(1)',
    test: 'src/agents/codex/setup/plan.test.ts',
    caughtBy: 'CX59',
  },
]
