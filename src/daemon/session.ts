import type { Facts } from '../core/facts.ts'
import type { Details } from '../core/signal.ts'
import type { Ground, Verdict } from '../core/verdict.ts'

/**
 * A session as everybody outside gets it: `vigil status --json`, the API, every surface. Every
 * field is always there; what is not known is null.
 */
export interface Session {
  readonly id: string
  readonly agent: string
  readonly host: string
  readonly state: Verdict['state']
  readonly for: NonNullable<Verdict['for']> | null
  readonly after: NonNullable<Verdict['after']> | null
  readonly cause: string | null
  readonly how: string | null
  readonly since: number
  readonly rule: string
  readonly reason: string
  readonly unread: boolean
  readonly typing: boolean
  readonly doing: NonNullable<Verdict['doing']> | null
  readonly request: NonNullable<Verdict['request']> | null
  readonly cwd: string | null
  /** The last part of the folder it works in: what people call the session by. */
  readonly project: string | null
  readonly branch: string | null
  readonly title: string | null
  readonly pid: number | null
  readonly tmuxPane: string | null
  readonly tmuxSocket: string | null
  readonly tty: string | null
  readonly terminal: string | null
  readonly transcript: string | null
  readonly model: string | null
  readonly mode: string | null
  readonly version: string | null
  readonly contextUsedPercent: number | null
  readonly costUsd: number | null
  readonly todosDone: number | null
  readonly todosTotal: number | null
  readonly tasks: Verdict['tasks']
  readonly loop: NonNullable<Verdict['loop']> | null
  /** The first session of the conversation this one belongs to; its own id if it is the first. */
  readonly lineage: string
  readonly parent: string | null
  /** Something is known of it beyond the log: it is watched. */
  readonly live: boolean
}

/** Why the verdict is what it is. */
export interface Explanation {
  readonly session: Session
  readonly grounds: readonly Ground[]
  /** What would change the verdict, in words. */
  readonly wouldChange: readonly string[]
  /** When time alone could change it; null for never. */
  readonly nextLook: number | null
  /** When each source last told anything of it. */
  readonly heard: Readonly<Record<string, number>>
  /** The last changes, newest first. */
  readonly history: readonly HistoryEntry[]
}

export interface HistoryEntry {
  readonly id: number
  readonly t: number
  readonly verdict: Verdict
}

export interface Belongings {
  readonly host: string
  readonly lineage: string
  readonly parent: string | undefined
  readonly live: boolean
}

export function sessionOf(facts: Facts, verdict: Verdict, belongings: Belongings): Session {
  const { details } = verdict
  return {
    id: facts.session,
    agent: facts.agent,
    host: belongings.host,
    ...shownVerdict(verdict),
    ...shownDetails(details),
    pid: facts.process?.pid ?? null,
    lineage: belongings.lineage,
    parent: belongings.parent ?? null,
    live: belongings.live,
  }
}

/** What a verdict alone tells of its session: also where nothing else is known. */
export function shownVerdict(verdict: Verdict) {
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

function shownDetails(details: Details) {
  const { contextLeftPercent: left } = details
  return {
    cwd: details.cwd ?? null,
    transcript: details.transcript ?? null,
    project: details.cwd?.split('/').filter(Boolean).at(-1) ?? null,
    branch: details.branch ?? null,
    title: details.title ?? null,
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
  }
}
