import type { Report } from '../../core/signal.ts'
import type { RequestQuestion } from '../../protocol/request.ts'
import { type AskedCall, questionIn } from '../answers.ts'
import { boundedInput } from '../asked-bounds.ts'
import { type Fields, fields, list, shortText, textIn } from '../read.ts'
import { waitingForTool } from './tools.ts'

/** The client offers one to three. */
const OFFERS_MAX = 16
const OFFER_MAX_CHARS = 16 * 1024

/**
 * Undefined for any other report. Accepts any content: a field of the wrong type counts as absent.
 */
export function askedIn(report: Report): AskedCall | undefined {
  if (report.source !== 'hook') return undefined
  const payload = fields(report.payload)
  const session = shortText(payload.session_id)
  if (payload.hook_event_name !== 'PermissionRequest' || session === undefined) return undefined
  const tool = shortText(payload.tool_name) ?? 'unknown'
  const actor = shortText(payload.agent_id) ?? null
  const offers = payload.permission_suggestions
  return askedCall({ session, tool, actor, input: payload.tool_input, offers })
}

interface Told extends Pick<AskedCall, 'session' | 'tool' | 'actor'> {
  readonly input: unknown
  readonly offers: unknown
}

export function askedCall({ session, tool, actor, input: told, offers }: Told): AskedCall {
  const kind = kindOf(tool)
  const { input, cut } = boundedInput(told)
  return {
    session,
    kind,
    tool,
    actor,
    input,
    cut,
    questions: kind === 'question' ? questionsIn(fields(input)) : [],
    plan: kind === 'plan' ? (textIn(fields(input).plan) ?? null) : null,
    offers: offersIn(offers, kind),
  }
}

/** SPEC AN10. Whether the report's hook waits for an answer. */
export function waitsForAnswer(report: Report): boolean {
  return fields(report.env).asks === 1 && fields(report.payload).agent_id === undefined
}

function kindOf(tool: string): AskedCall['kind'] {
  const kind = waitingForTool(tool)
  return kind === 'dialog' ? 'permission' : kind
}

function questionsIn(input: Fields): readonly RequestQuestion[] {
  const asked = list(input.questions).map(fields)
  return asked.flatMap((one) => questionIn(one, one.multiSelect === true))
}

/** An offer too long to show is dropped; its place stays, so that indexes hold. */
function offersIn(given: unknown, kind: AskedCall['kind']) {
  const offers = list(given)
    .slice(0, OFFERS_MAX)
    .map((offer) => (JSON.stringify(offer).length > OFFER_MAX_CHARS ? null : offer))
  return kind === 'plan' && offers.length === 0 ? PLAN_OFFERS : offers
}

/** The dialog of a plan has this choice, though the client does not pass it to its hooks. */
const PLAN_OFFERS = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }]
