import { z } from 'zod'
import { SOURCES } from '../core/signal.ts'
import { STATES } from '../core/verdict.ts'
import { policy } from './policy.ts'

/** Schemas of everything that is asked and answered; the document names them as they are here. */
export const named = z.registry<{ id: string }>()

/** As many as fit one transaction without keeping the others waiting. */
const POSTINGS_MAX = 1000

const KEY_LENGTH_MAX = 300
const WORD_LENGTH_MAX = 200

export const time = z.number().describe('milliseconds since 1970')
export const reportName = z.string().regex(/^[a-z]+\.[\d.]{1,40}$/, 'expected the name of a report')
export const digest = z.string().regex(/^[0-9a-f]{64}$/, 'expected SHA-256 in hex')
const maybe = z.string().nullable()
const amount = z.number().nullable()

export const source = z.enum(SOURCES)
const waitingFor = z.enum(['permission', 'question', 'plan', 'dialog'])
const idleAfter = z.enum(['start', 'work', 'talk', 'interrupt', 'compact'])

const doing = z.strictObject({
  what: z.enum(['tool', 'thinking', 'compacting', 'retrying']),
  tool: z.string().optional(),
  label: z.string().optional(),
  since: time,
})

const request = z.strictObject({
  tool: z.string(),
  text: z.string().optional(),
  actor: z.string().optional(),
  at: time,
})

const task = z.strictObject({ id: z.string(), what: z.string(), label: z.string().optional() })
const loop = z.strictObject({
  state: z.string(),
  iteration: z.number(),
  max: z.number(),
  hold: maybe.describe('why it does not go on by itself at present'),
  until: amount.describe('when it is taken up again'),
})
const ground = z.strictObject({ source, saw: z.string(), at: time })

const details = z.strictObject({
  cwd: z.string().optional(),
  transcript: z.string().optional(),
  branch: z.string().optional(),
  title: z.string().optional(),
  model: z.string().optional(),
  version: z.string().optional(),
  mode: z.string().optional(),
  contextLeftPercent: z.number().optional(),
  costUsd: z.number().optional(),
  pane: z.string().optional(),
  tmux: z.string().optional(),
  tty: z.string().optional(),
  terminal: z.string().optional(),
  todosDone: z.number().optional(),
  todosTotal: z.number().optional(),
})

const verdict = z
  .strictObject({
    session: z.string(),
    state: z.enum(STATES),
    since: time,
    rule: z.string().describe('the rule of SPEC.md that decided'),
    reason: z.string(),
    grounds: z.array(ground),
    for: waitingFor.optional(),
    request: request.optional(),
    after: idleAfter.optional(),
    cause: z.string().optional(),
    how: z.string().optional(),
    doing: doing.optional(),
    unread: z.boolean(),
    typing: z.boolean(),
    tasks: z.array(task),
    loop: loop.optional(),
    details,
  })
  .register(named, { id: 'Verdict' })

export const session = z
  .strictObject({
    id: z.string(),
    agent: z.string(),
    host: z.string(),
    state: z.enum(STATES),
    for: waitingFor.nullable(),
    after: idleAfter.nullable(),
    cause: maybe,
    how: maybe,
    since: time,
    rule: z.string().describe('the rule of SPEC.md that decided'),
    reason: z.string(),
    unread: z.boolean(),
    typing: z.boolean(),
    doing: doing.nullable(),
    request: request.nullable(),
    cwd: maybe,
    project: maybe,
    branch: maybe,
    title: maybe,
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
    tasks: z.array(task),
    loop: loop.nullable(),
    lineage: z.string(),
    parent: maybe,
    asks: z.array(z.string()).describe('ids of its requests that can be answered from here'),
    live: z.boolean(),
  })
  .register(named, { id: 'Session' })

export const listing = z
  .strictObject({
    seq: z.number().describe('subscribe to events after this one and miss nothing'),
    now: time,
    cursor: z.string().describe('ask for what is new with it as since'),
    partial: z.boolean().describe('those that are not here are as they were'),
    sessions: z.array(session),
  })
  .register(named, { id: 'Listing' })

const historyEntry = z.strictObject({ id: z.number(), t: time, verdict })

export const history = z
  .strictObject({ history: z.array(historyEntry).describe('newest first') })
  .register(named, { id: 'History' })

export const explanation = z
  .strictObject({
    session,
    grounds: z.array(ground),
    wouldChange: z.array(z.string()),
    nextLook: amount,
    heard: z.record(z.string(), z.number()),
    history: z.array(historyEntry),
  })
  .register(named, { id: 'Explanation' })

const report = z.looseObject({ t: time, source }).register(named, { id: 'Report' })

export const reportPage = z
  .strictObject({
    reports: z.array(z.strictObject({ id: z.number(), session: maybe, key: maybe, report })),
    next: amount.describe('ask again with this as after; null when there were no more'),
  })
  .register(named, { id: 'ReportPage' })

const posting = z
  .strictObject({
    report: z.looseObject({ t: z.number().min(0).optional(), source }),
    key: z.string().min(1).max(KEY_LENGTH_MAX).optional(),
  })
  .register(named, { id: 'Posting' })

export const postings = z
  .union([posting, z.array(posting).min(1).max(POSTINGS_MAX)])
  .register(named, { id: 'Postings' })

export const posted = z.strictObject({ sessions: z.array(maybe) }).register(named, { id: 'Posted' })

export const recording = z
  .strictObject({ name: z.string().min(1).max(WORD_LENGTH_MAX), lines: z.array(report).min(1) })
  .register(named, { id: 'Recording' })

export const imported = z
  .strictObject({ sessions: z.array(z.string()) })
  .register(named, { id: 'Imported' })

export const health = z
  .strictObject({
    version: z.string(),
    pid: z.number(),
    host: z.string(),
    startedAt: time,
    now: time,
    sessions: z.number(),
    subscribers: z.number(),
    durable: z.boolean(),
    troubles: z.array(z.string()),
    address: maybe,
    policy,
    store: z.strictObject({
      path: z.string(),
      bytes: z.number(),
      reports: z.number(),
      changes: z.number(),
      oldestAt: amount,
    }),
    sources: z.record(z.string(), z.strictObject({ reports: z.number(), lastAt: z.number() })),
    configFolders: z.array(z.string()),
    refused: z.record(z.string(), z.number()).describe('requests refused, by reason'),
  })
  .register(named, { id: 'Health' })

export const stopping = z
  .strictObject({ why: z.string().min(1).max(WORD_LENGTH_MAX) })
  .register(named, { id: 'Stopping' })

export const stopped = z
  .strictObject({ stopping: z.literal(true) })
  .register(named, { id: 'Stopped' })

export const openapi = z.looseObject({ openapi: z.string() }).register(named, { id: 'OpenApi' })

const change = { id: z.number(), t: time, session: z.string() }

/** What an event's `data` holds; `event` says the same as `kind`. */
export const changeEvent = z
  .union([
    z.strictObject({ kind: z.literal('verdict'), ...change, verdict }),
    z.strictObject({ kind: z.literal('gone'), ...change, became: maybe }),
    z.strictObject({ kind: z.literal('reset'), id: z.number() }),
    z.strictObject({
      kind: z.literal('requests').describe('has no id'),
      session: z.string(),
      asks: z.array(z.string()),
    }),
  ])
  .register(named, { id: 'Event' })

export const problem = z
  .strictObject({
    error: z.string(),
    field: z.string().optional().describe('which part of the request is wrong'),
    reason: z.string().optional().describe('why the request was not admitted'),
  })
  .register(named, { id: 'Problem' })
