import type { Facts } from '../core/facts.ts'
import { isPlainWord } from '../core/shell-word.ts'
import type { Details } from '../core/signal.ts'
import type { Verdict } from '../core/verdict.ts'
import type { Session } from './session.ts'

/** What is known of a session besides its facts. */
export interface SessionContext {
  readonly machine: string
  readonly host: string
  readonly lineage: string
  readonly parent: string | undefined
  readonly asks?: readonly string[]
  readonly live: boolean
  readonly usualMs?: number | undefined
  /** The command line that resumes it. */
  readonly resume?: readonly string[] | undefined
  /** Appends a number, where others have the same name. */
  readonly nameFor?: (base: string) => string
}

export function sessionOf(facts: Facts, verdict: Verdict, belongings: SessionContext): Session {
  const { details } = verdict
  const base = calledIn(facts.session, details)
  return {
    id: facts.session,
    name: belongings.nameFor?.(base) ?? base,
    machine: belongings.machine,
    own: true,
    stale: null,
    host: belongings.host,
    agent: facts.agent,
    ...shownVerdict(verdict),
    ...shownDetails(details),
    ...shownWords(facts),
    usualMs: belongings.usualMs ?? null,
    pid: facts.process?.pid ?? null,
    ...shownTerminal(verdict, belongings.resume),
    lineage: belongings.lineage,
    parent: belongings.parent ?? null,
    asks: belongings.asks ?? [],
    live: belongings.live,
  }
}

/** SPEC VW25. The name it would have if it were the only session. */
function calledIn(id: string, { name, title, cwd }: Details): string {
  return name || title || projectOf(cwd) || id.slice(0, ID_SHOWN)
}

const ID_SHOWN = 8

function projectOf(cwd: string | undefined): string | null {
  return cwd?.split('/').filter(Boolean).at(-1) ?? null
}

/** The fields that a verdict alone determines: also where nothing else is known. */
function shownVerdict(verdict: Verdict) {
  return {
    state: verdict.state,
    for: verdict.for ?? null,
    after: verdict.after ?? null,
    cause: verdict.cause ?? null,
    how: verdict.how ?? null,
    since: verdict.since,
    rule: verdict.rule,
    reason: verdict.reason,
    unread: verdict.unread,
    typing: verdict.typing,
    doing: verdict.doing ?? null,
    request: verdict.request ?? null,
    tasks: verdict.tasks,
    loop: verdict.loop ?? null,
  }
}

/** SPEC VW31. The terminal of a detached session is closed, and another program may be there. */
function shownTerminal({ detached }: Verdict, resume: SessionContext['resume']) {
  if (!detached) return { detached: false, attach: null }
  const attach = resume?.every(isPlainWord) ? resume.join(' ') : null
  const nowhere = { pid: null, tmuxPane: null, tmuxSocket: null, tty: null, terminal: null }
  return { detached, attach, ...nowhere }
}

/** A reply from before the last prompt does not answer it. */
function shownWords({ said: { user, agent } }: Facts) {
  const reply = user && agent && agent.at < user.at ? undefined : agent
  return { prompt: user?.text ?? null, reply: reply?.text ?? null }
}

function shownDetails(details: Details) {
  const { contextLeftPercent: left } = details
  return {
    cwd: details.cwd ?? null,
    transcript: details.transcript ?? null,
    project: projectOf(details.cwd),
    branch: details.branch ?? null,
    title: details.title || null,
    tmuxPane: details.pane ?? null,
    tmuxSocket: details.tmux ?? null,
    tty: details.tty ?? null,
    terminal: details.terminal ?? null,
    model: details.model ?? null,
    mode: details.mode ?? null,
    version: details.version ?? null,
    contextUsedPercent: left === undefined ? null : 100 - left,
    costUsd: details.costUsd ?? null,
    todosDone: details.todosDone ?? null,
    todosTotal: details.todosTotal ?? null,
    limits: details.limits ?? null,
  }
}
