/** A rule broken on purpose, and the test that must see it. */
export interface Mutant {
  readonly breaks: string
  readonly file: string
  readonly find: string
  readonly replace: string
  /** Where the test is, and the rule its title cites. */
  readonly test: string
  readonly caughtBy: string
}

const rules = 'src/core/rules'

/** The two lines that tie a request to its own call. */
const ANY_TOOL = `if (!isFor(request, tool)) continue
    // Of equal calls the one that still runs may be the one that asks.
    if (tool.endedAt === undefined) return false
`

export const MUTANTS: readonly Mutant[] = [
  {
    breaks: 'a process of one agent becomes another agent’s',
    file: 'src/core/sessions.ts',
    find: 'isOthers ? [] : this.#of(agent)',
    replace: "isOthers ? [] : this.#of('any')",
    test: 'src/core/sessions-agents.test.ts',
    caughtBy: 'L8',
  },
  {
    breaks: 'an agent speaks for another agent’s session',
    file: 'src/core/sessions.ts',
    find: 'isOthers ? [] : this.#of(agent)',
    replace: 'this.#of(agent)',
    test: 'src/core/sessions-agents.test.ts',
    caughtBy: 'L8',
  },
  {
    breaks: 'a rule of the screen that is often wrong decides',
    file: 'src/agents/claude/screen.ts',
    find: 'rule !== undefined && rule.confidence >= CONFIDENCE_MIN',
    replace: 'rule !== undefined',
    test: 'test/screen-rules.test.ts',
    caughtBy: 'X11',
  },
  {
    breaks: 'an end of another turn, written late, closes the next one',
    file: `${rules}/turn.ts`,
    find: 'return named && started.turn !== end.turn && end.at - started.at < HOOK_LAG_MS',
    replace: 'return false',
    test: `${rules}/turn.test.ts`,
    caughtBy: 'T2',
  },
  {
    breaks: 'the length of a turn hides the interrupt before it',
    file: `${rules}/turn.ts`,
    find: 'return sameTurn ? { ...special, at: ended.at } : plain',
    replace: 'return plain',
    test: `${rules}/turn.test.ts`,
    caughtBy: 'T4',
  },
  {
    breaks: 'a queued prompt is forgotten at the Stop',
    file: `${rules}/turn.ts`,
    find: 'return !(settledAt !== undefined && settledAt > queued.at)',
    replace: 'return false',
    test: `${rules}/turn.test.ts`,
    caughtBy: 'T5',
  },
  {
    breaks: 'a tool told late revives an interrupted turn',
    file: `${rules}/turn.ts`,
    find: "if (end.how !== 'interrupt') return true",
    replace: 'return true',
    test: `${rules}/turn.test.ts`,
    caughtBy: 'T6',
  },
  {
    breaks: 'SessionStart(compact) opens the session anew',
    file: 'src/agents/claude/hook.ts',
    find: "if (how === 'compact') return [{ kind: 'compaction', open: false }]",
    replace: '',
    test: 'test/conformance/claude-state-corrections.test.ts',
    caughtBy: 'SC12',
  },
  {
    breaks: 'a spinner never recognised ends a turn by its absence',
    file: `${rules}/screen.ts`,
    find: 'if (screen.workingAt <= begun - HOOK_LAG_MS) return undefined',
    replace: '',
    test: `${rules}/trace.test.ts`,
    caughtBy: 'T9',
  },
  {
    breaks: 'every request is for a permission',
    file: 'src/agents/claude/tools.ts',
    find: "return tool === 'ExitPlanMode' ? 'plan' : 'permission'",
    replace: "return 'permission'",
    test: `${rules}/requests.test.ts`,
    caughtBy: 'W1',
  },
  {
    breaks: 'the end of any tool of the same agent closes its request',
    file: `${rules}/requests.ts`,
    find: ANY_TOOL,
    replace: 'if (tool.endedAt === undefined || tool.actor !== request.actor) continue\n',
    test: `${rules}/requests.test.ts`,
    caughtBy: 'W4',
  },
  {
    breaks: 'a subagent’s tool closes the main agent’s dialog',
    file: `${rules}/requests.ts`,
    find: ANY_TOOL,
    replace: 'if (tool.endedAt === undefined) continue\n',
    test: 'test/conformance/claude-state.test.ts',
    caughtBy: 'SC3',
  },
  {
    breaks: 'a parent’s Stop closes its subagent’s request',
    file: `${rules}/requests.ts`,
    find: 'actor === undefined ? mainMoved(facts, at) : actorMoved(facts, actor, at)',
    replace: 'mainMoved(facts, at)',
    test: `${rules}/requests.test.ts`,
    caughtBy: 'W5',
  },
  {
    breaks: 'the screen does not tell that a tool was allowed',
    file: `${rules}/requests.ts`,
    find: 'return screen?.inputAt !== undefined && screen.inputAt > at + SCREEN_LAG_MS',
    replace: 'return screen === undefined && at < 0',
    test: `${rules}/requests-seen.test.ts`,
    caughtBy: 'W7',
  },
  {
    breaks: 'a status line closes no dialog',
    file: `${rules}/requests.ts`,
    find: '(heard.statusline ?? 0) >= at + STATUSLINE_LAG_MS',
    replace: '(heard.statusline ?? 0) < 0',
    test: `${rules}/requests-seen.test.ts`,
    caughtBy: 'W8',
  },
  {
    breaks: 'tasks that a Stop leaves out go on for ever',
    file: `${rules}/tasks.ts`,
    find: '!listed.ids.includes(task.id) && listed.at',
    replace: 'listed.ids.length < 0 && listed.at',
    test: `${rules}/tasks.test.ts`,
    caughtBy: 'B4',
  },
  {
    breaks: 'the client’s own helpers count as subagents',
    file: 'src/agents/claude/hook.ts',
    find: "return id && payload.agent_type !== '' ? [{ kind: 'task-ended', id }] : []",
    replace: "return id ? [{ kind: 'task-ended', id }] : []",
    test: 'src/agents/claude/hook.test.ts',
    caughtBy: 'B7',
  },
  {
    breaks: 'a newer prompt waits for the client’s word',
    file: `${rules}/word.ts`,
    find: "(finding.rule === 'T1' ? 0 : HOOK_LAG_MS)",
    replace: '1e9',
    test: `${rules}/word.test.ts`,
    caughtBy: 'R2',
  },
  {
    breaks: 'a contradicted word is believed for ever',
    file: `${rules}/word.ts`,
    find: 'now >= doubtedAt(facts, trace)',
    replace: 'now < 0',
    test: `${rules}/word.test.ts`,
    caughtBy: 'R3',
  },
  {
    breaks: 'a dead session is revived by a late hook',
    file: `${rules}/closing.ts`,
    find: 'return !cameBack(facts, died)',
    replace: 'return process.at <= died.at',
    test: `${rules}/closing.test.ts`,
    caughtBy: 'C5',
  },
  {
    breaks: 'a pid is taken for a process',
    file: `${rules}/closing.ts`,
    find: 'if (sighted.ours && sameStart) return undefined',
    replace: 'return undefined',
    test: `${rules}/closing.test.ts`,
    caughtBy: 'C3',
  },
  {
    breaks: '1800 s are over at 1800 s',
    file: 'src/core/vocabulary/notify-tmux.ts',
    find: "verdict.after === 'start' || now - verdict.since > FRESH_MAX_MS",
    replace: "verdict.after === 'start' || now - verdict.since >= FRESH_MAX_MS",
    test: 'test/conformance/notify-tmux.test.ts',
    caughtBy: 'SN6',
  },
  {
    breaks: 'a long tool looks stuck',
    file: 'src/core/judge.ts',
    find: 'trace.tools.length === 0 && trace.tasks.length === 0 && !facts.compaction?.open',
    replace: 'trace.tasks.length === 0 && !facts.compaction?.open',
    test: 'src/core/silence.test.ts',
    caughtBy: 'M2',
  },
  {
    breaks: 'the arrival of a transcript line counts, not its own time',
    file: 'src/agents/claude/transcript.ts',
    find: 'return ownTime(fields(report.entry).timestamp, report.t)',
    replace: 'return report.t + 0 * ownTime(fields(report.entry).timestamp, 0)',
    test: 'test/conformance/claude-state.test.ts',
    caughtBy: 'SC13',
  },
  {
    breaks: 'a quoted interrupt is an interrupt',
    file: 'src/agents/claude/transcript-user.ts',
    find: "if (blocks.length !== 1 || only?.type !== 'text') return false",
    replace: 'if (!only) return false',
    test: 'src/agents/claude/transcript-user.test.ts',
    caughtBy: 'X7',
  },
  {
    breaks: 'the last signal to arrive wins, not the newest',
    file: 'src/core/learn/mark.ts',
    find: 'if (told.at < held.at) return held',
    replace: '',
    test: 'test/properties.test.ts',
    caughtBy: 'O1',
  },
  {
    breaks: 'a process that said nothing new keeps its session after /clear',
    file: 'src/core/agent-sessions.ts',
    find: 'if (newer) this.where.holdPid(pid, id, signal.at)',
    replace: 'if (!held) this.where.holdPid(pid, id, signal.at)',
    test: 'src/core/sessions.test.ts',
    caughtBy: 'L3',
  },
  {
    breaks: 'text that streams in looks like the end of its turn',
    file: 'src/agents/claude/screen.ts',
    find: 'if (ANSWER.pattern.test(line)) return ANSWER',
    replace: 'if (ANSWER.pattern.test(line)) return BARE',
    test: 'src/agents/claude/screen.test.ts',
    caughtBy: 'X8',
  },
  {
    breaks: 'a good end after an error is taken for the end of the turn that failed',
    file: `${rules}/turn.ts`,
    find: '(named && ended.turn !== special.turn) || ',
    replace: '',
    test: `${rules}/turn-errors.test.ts`,
    caughtBy: 'E1',
  },
]
