import { z } from 'zod'
import { SOURCES } from '../core/signal.ts'
import { STATES } from '../core/verdict.ts'
import { amount, maybe, maybeTime, named, time } from './schema.ts'

/** The core's own types in the API; `core-types.test.ts` compares the two. */

export const source = z.enum(SOURCES)
export const waitingFor = z.enum(['permission', 'question', 'plan', 'dialog'])
export const idleAfter = z.enum(['start', 'work', 'talk', 'interrupt', 'compact'])

export const doing = z.strictObject({
  what: z.enum(['tool', 'thinking', 'compacting', 'retrying']),
  tool: z.string().exactOptional(),
  label: z.string().exactOptional(),
  since: time,
})

export const requestFacet = z.strictObject({
  tool: z.string(),
  text: z.string().exactOptional(),
  actor: z.string().exactOptional(),
  at: time,
})

export const taskFacet = z.strictObject({
  id: z.string(),
  what: z.string(),
  label: z.string().exactOptional(),
})
export const loopFacet = z.strictObject({
  state: z.string(),
  iteration: z.number(),
  max: z.number(),
  hold: maybe.describe('why it does not go on by itself at present'),
  until: maybeTime.describe('when it is taken up again'),
})
export const ground = z.strictObject({ source, saw: z.string(), at: time })

export const usageLimits = z.strictObject({
  at: time,
  windows: z.array(
    z.strictObject({ usedPercent: z.number(), lastsMs: amount, resetsAt: maybeTime }),
  ),
})

const details = z.strictObject({
  cwd: z.string().exactOptional(),
  transcript: z.string().exactOptional(),
  branch: z.string().exactOptional(),
  title: z.string().exactOptional(),
  name: z.string().exactOptional(),
  model: z.string().exactOptional(),
  version: z.string().exactOptional(),
  mode: z.string().exactOptional(),
  contextLeftPercent: z.number().exactOptional(),
  costUsd: z.number().exactOptional(),
  pane: z.string().exactOptional(),
  tmux: z.string().exactOptional(),
  tty: z.string().exactOptional(),
  terminal: z.string().exactOptional(),
  todosDone: z.number().exactOptional(),
  todosTotal: z.number().exactOptional(),
  limits: usageLimits.exactOptional(),
})

export const verdict = z
  .strictObject({
    session: z.string(),
    state: z.enum(STATES),
    since: time,
    rule: z.string().describe('the id of the rule in docs/spec that decided'),
    reason: z.string(),
    grounds: z.array(ground),
    for: waitingFor.exactOptional(),
    request: requestFacet.exactOptional(),
    after: idleAfter.exactOptional(),
    cause: z.string().exactOptional(),
    how: z.string().exactOptional(),
    doing: doing.exactOptional(),
    unread: z.boolean(),
    typing: z.boolean(),
    tasks: z.array(taskFacet),
    loop: loopFacet.exactOptional(),
    detached: z.literal(true).exactOptional().describe('its terminal was closed, and it goes on'),
    details,
  })
  .register(named, { id: 'Verdict' })
