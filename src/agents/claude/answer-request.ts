import type { Report } from '../../core/signal.ts'
import type { RequestQuestion } from '../../protocol/request.ts'
import { type Fields, fields, list, short, text } from './read.ts'
import { waitingFor } from './tools.ts'

/** What a PermissionRequest asks, with everything needed to decide. */
export interface Asked {
  readonly session: string
  readonly kind: 'permission' | 'question' | 'plan'
  readonly tool: string
  /** The subagent that asks; none for the agent itself. */
  readonly actor: string | null
  /** The tool's input as the client gave it, unless that was too long. */
  readonly input: unknown
  readonly cut: boolean
  readonly questions: readonly RequestQuestion[]
  /** Markdown. */
  readonly plan: string | null
  /** What the client would have allowed from then on, in its own form. */
  readonly offers: readonly unknown[]
}

/** A person reads some pages before deciding, and not more; a question is far shorter. */
const INPUT_MAX_CHARS = 256 * 1024
/** The client offers one to three. */
const OFFERS_MAX = 16
const OFFER_MAX_CHARS = 16 * 1024

/** None for any other report. Of any content: what is no field of the kind is not there. */
export function askedIn(report: Report): Asked | undefined {
  if (report.source !== 'hook') return undefined
  const payload = fields(report.payload)
  const session = short(payload.session_id)
  if (payload.hook_event_name !== 'PermissionRequest' || session === undefined) return undefined
  const tool = short(payload.tool_name) ?? 'unknown'
  const kind = kindOf(tool)
  const { input, cut } = bounded(payload.tool_input)
  return {
    session,
    kind,
    tool,
    actor: short(payload.agent_id) ?? null,
    input,
    cut,
    questions: kind === 'question' ? questionsIn(fields(input)) : [],
    plan: kind === 'plan' ? (text(fields(input).plan) ?? null) : null,
    offers: offersIn(payload, kind),
  }
}

/** Enough to tell which request it is. */
const SHORT_MAX_CHARS = 400

/** SPEC BR4. What is left of it where too much is asked at once. */
export function shortOf(asked: Asked): Asked {
  const input = within(asked.input, { chars: SHORT_MAX_CHARS }, 0)
  return { ...asked, input, cut: true, questions: [], plan: null, offers: [] }
}

/** SPEC AN10. Whether its hook says that it waits for an answer. */
export function waitsForAnswer(report: Report): boolean {
  return fields(report.env).asks === 1 && fields(report.payload).agent_id === undefined
}

function kindOf(tool: string): Asked['kind'] {
  const kind = waitingFor(tool)
  return kind === 'dialog' ? 'permission' : kind
}

function questionsIn(input: Fields): readonly RequestQuestion[] {
  return list(input.questions)
    .map(fields)
    .flatMap(({ question, header, multiSelect, options }) => {
      const asked = text(question)
      if (asked === undefined) return []
      const shown = { question: asked, header: text(header) ?? null, several: multiSelect === true }
      return [{ ...shown, options: list(options).map(fields).flatMap(optionIn) }]
    })
}

function optionIn({ label, description }: Fields): RequestQuestion['options'] {
  const name = text(label)
  return name === undefined ? [] : [{ label: name, description: text(description) ?? null }]
}

/** One that is too long to be told is not offered; its place stays, so that indexes hold. */
function offersIn({ permission_suggestions: given }: Fields, kind: Asked['kind']) {
  const offers = list(given)
    .slice(0, OFFERS_MAX)
    .map((offer) => (JSON.stringify(offer).length > OFFER_MAX_CHARS ? null : offer))
  return kind === 'plan' && offers.length === 0 ? PLAN_OFFERS : offers
}

/** The dialog of a plan has such a choice, though it tells its hooks of none. */
const PLAN_OFFERS = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }]

/** SPEC AN5. */
function bounded(input: unknown): { readonly input: unknown; readonly cut: boolean } {
  const length = JSON.stringify(input ?? null).length
  if (length <= INPUT_MAX_CHARS) return { input: input ?? null, cut: false }
  const room = { chars: INPUT_MAX_CHARS }
  return { input: within(input, room, 0), cut: true }
}

/** Clients nest a few levels deep. */
const DEPTH_MAX = 16
/** What each value costs beside its text: quotes, commas, braces. */
const VALUE_CHARS = 4

function within(value: unknown, room: { chars: number }, depth: number): unknown {
  room.chars -= VALUE_CHARS
  if (room.chars <= 0) return null
  if (typeof value === 'string') {
    const kept = value.slice(0, room.chars)
    room.chars -= kept.length
    return kept.length < value.length ? `${kept}…` : kept
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEPTH_MAX) return null
  if (Array.isArray(value)) return taken(value, room, (entry) => within(entry, room, depth + 1))
  const entries = taken(Object.entries(value), room, ([key, entry]) => {
    room.chars -= key.length
    return [key, within(entry, room, depth + 1)] as const
  })
  return Object.fromEntries(entries)
}

/** As many as there is room for. */
function taken<T, R>(values: readonly T[], room: { chars: number }, take: (value: T) => R): R[] {
  const kept: R[] = []
  for (const value of values) {
    if (room.chars <= 0) break
    kept.push(take(value))
  }
  return kept
}
