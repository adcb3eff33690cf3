import { z } from 'zod'
import { STATES } from '../core/verdict.ts'
import { inputLayout, pathBases } from './request.ts'
import {
  amount,
  isOwn,
  machine,
  machineId,
  maybe,
  maybeTime,
  named,
  requestId,
  type TypeOf,
  time,
} from './schema.ts'
import {
  doing,
  ground,
  idleAfter,
  loopFacet,
  requestFacet,
  taskFacet,
  usageLimits,
  verdict,
  waitingFor,
} from './verdict.ts'

/** What fits beside others in a row. */
const SESSION_NAME_MAX = 80

/**
 * A session in `vigil status --json`, the API and every surface. Every field is always there; an
 * unknown one is null.
 */
export const session = z
  .strictObject({
    id: z.string(),
    name: z
      .string()
      .describe('its user’s own name for it, its title or its folder; a number tells equals apart'),
    machine: machineId,
    own: isOwn.describe('it runs on the machine of the daemon that answers'),
    stale: maybeTime.describe('since when its machine has not been heard from; null while it is'),
    host: z.string().describe('what the machine is called; a recording’s name if it is one'),
    agent: z.string(),
    state: z.enum(STATES),
    for: waitingFor.nullable(),
    after: idleAfter.nullable(),
    cause: maybe,
    how: maybe,
    since: time,
    rule: z.string().describe('the id of the rule in docs/spec that decided'),
    reason: z.string(),
    unread: z.boolean(),
    typing: z.boolean(),
    doing: doing.nullable(),
    usualMs: amount.describe('how long the tool that runs usually takes in this folder'),
    request: requestFacet.nullable(),
    cwd: maybe,
    project: maybe.describe('the last part of the folder it works in'),
    branch: maybe,
    title: maybe,
    prompt: maybe.describe('what its user typed last, its first 200 characters'),
    reply: maybe.describe('what the agent has said since, likewise'),
    pid: amount,
    tmuxPane: maybe,
    tmuxSocket: maybe,
    tty: maybe,
    terminal: maybe,
    transcript: maybe,
    model: maybe,
    mode: maybe,
    version: maybe,
    contextUsedPercent: amount,
    costUsd: amount,
    todosDone: amount,
    todosTotal: amount,
    limits: usageLimits
      .nullable()
      .describe('how much of what its user’s subscription allows is used'),
    tasks: z.array(taskFacet),
    loop: loopFacet.nullable(),
    detached: z.boolean().describe('its terminal was closed, and it goes on without one'),
    attach: maybe.describe('the command that gives it a terminal again, while it is detached'),
    lineage: z.string().describe('the first session of its conversation; its own id if it is that'),
    parent: maybe,
    asks: z.array(requestId).describe('ids of its requests that can be answered from here'),
    live: z.boolean().describe('it is watched: more is known of it than the log has'),
  })
  .register(named, { id: 'Session' })
export type Session = TypeOf<typeof session>

export const listing = z
  .strictObject({
    seq: z.number().describe('subscribe to events after this one and miss nothing'),
    now: time,
    sessions: z.array(session),
  })
  .register(named, { id: 'Listing' })
export type Listing = TypeOf<typeof listing>

const historyEntry = z.strictObject({ id: z.number(), t: time, verdict })
export type HistoryEntry = TypeOf<typeof historyEntry>

export const history = z
  .strictObject({ ...machine, history: z.array(historyEntry).describe('newest first') })
  .register(named, { id: 'History' })

/** Why the verdict is what it is. */
export const explanation = z
  .strictObject({
    session,
    grounds: z.array(ground),
    wouldChange: z.array(z.string()).describe('what would change the verdict, in words'),
    nextLook: maybeTime.describe('when time alone could change it; null for never'),
    heard: z.record(z.string(), time).describe('when each source last told anything of it'),
    history: z.array(historyEntry).describe('newest first'),
  })
  .register(named, { id: 'Explanation' })
export type Explanation = TypeOf<typeof explanation>

/** The agent's last messages, and the call it asks about, from its transcript. */
export const talk = z
  .strictObject({
    said: z.array(z.string()).describe('the oldest first'),
    call: z
      .strictObject({ tool: z.string(), input: z.unknown(), layout: inputLayout, ...pathBases })
      .nullable(),
  })
  .register(named, { id: 'Talk' })
export type Talk = TypeOf<typeof talk>

export const sessionNaming = z
  .strictObject({ name: z.string().max(SESSION_NAME_MAX).describe('empty to take it back') })
  .register(named, { id: 'SessionNaming' })

export const looked = z.strictObject({ looked: z.literal(true) }).register(named, { id: 'Looked' })

const change = { id: z.number(), t: time, ...machine, session: z.string() }

const sessionChange = z.union([
  z.strictObject({ kind: z.literal('verdict'), ...change, verdict }),
  z.strictObject({ kind: z.literal('gone'), ...change, became: maybe }),
])

/** The `data` of an event; `event` equals `kind`. */
export const changeEvent = z
  .union([
    ...sessionChange.options,
    z
      .strictObject({ kind: z.literal('reset'), id: z.number() })
      .describe('what was known is too old to go on from: ask for the sessions, then read on'),
  ])
  .register(named, { id: 'Event' })
export type ChangeEvent = TypeOf<typeof changeEvent>
