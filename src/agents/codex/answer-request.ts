import type { Report } from '../../core/signal.ts'
import type { RequestQuestion } from '../../protocol/request.ts'
import { type AskedCall, questionIn } from '../answers.ts'
import { boundedInput } from '../asked-bounds.ts'
import { type Fields, fields, list, numberIn, shortText, textIn } from '../read.ts'
import { changedFiles } from './changed-files.ts'
import { MCP_METHOD, mcpCall } from './mcp-request.ts'
import { scriptIn } from './shell-script.ts'
import { ASKS } from './tools.ts'

/** A request of the server, less the session and the subagent that it belongs to. */
export interface ServerAsked {
  readonly item: string
  /** Tells apart several requests of one item. */
  readonly part: readonly string[]
  readonly turn: string
  readonly at: number | undefined
  readonly needsChanges: boolean
  /** With the file changes that were announced for its item. */
  readonly callWith: (changes: unknown) => Omit<AskedCall, 'session' | 'actor'>
}

/** SPEC CX40. Other requests of the server are left to the terminal client. */
const METHODS: Readonly<
  Record<string, (params: Fields, changes: unknown) => Described | undefined>
> = {
  'item/commandExecution/requestApproval': command,
  'item/fileChange/requestApproval': fileChange,
  'item/tool/requestUserInput': question,
  [MCP_METHOD]: mcpCall,
}

const FILE_CHANGE = 'item/fileChange/requestApproval'

export const PATCHES = 'apply_patch'

interface Described extends Pick<AskedCall, 'kind' | 'tool' | 'offers'> {
  readonly input: Fields
  readonly questions?: readonly RequestQuestion[]
}

/** Undefined for any other message. */
export function askedOnServer(method: string, params: Fields): ServerAsked | undefined {
  const describe = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined
  const turn = shortText(params.turnId)
  // A form names no item: with the server's own number its turn tells it from any other request.
  const item = method === MCP_METHOD ? turn : shortText(params.itemId)
  if (!describe || item === undefined || turn === undefined) return undefined
  const described = describe(params, undefined)
  if (!described) return undefined
  const part = shortText(params.approvalId)
  return {
    item,
    turn,
    part: part === undefined ? [] : [part],
    at: numberIn(params.startedAtMs),
    needsChanges: method === FILE_CHANGE,
    callWith: (changes) => askedWith(describe(params, changes) ?? described),
  }
}

/**
 * A hook asks where no server does: with `--no-daemon`. The dialog comes after it, so nothing waits
 * for an answer there.
 */
export function askedInHook(report: Report): AskedCall | undefined {
  if (report.source !== 'hook') return undefined
  const payload = fields(report.payload)
  const session = shortText(payload.session_id)
  if (payload.hook_event_name !== 'PermissionRequest' || session === undefined) return undefined
  const tool = shortText(payload.tool_name) ?? 'unknown'
  const { description: reason, ...input } = fields(payload.tool_input)
  const told = { ...input, ...(reason !== undefined && { reason }) }
  const call = askedWith({ kind: 'permission', tool, input: told, offers: [] })
  return { session, actor: shortText(payload.agent_id) ?? null, ...call }
}

export function askedWith({ kind, tool, input: told, offers, questions = [] }: Described) {
  return { kind, tool, ...boundedInput(told), questions, plan: null, offers }
}

/** How the server keeps its books, and what is shown as offers. */
const BOOKS: ReadonlySet<string> = new Set([
  ...['threadId', 'turnId', 'itemId', 'approvalId', 'startedAtMs', 'commandActions'],
  ...['proposedExecpolicyAmendment', 'proposedNetworkPolicyAmendments', 'availableDecisions'],
])

/** Values that say nothing more than the usual. */
const USUAL: Readonly<Record<string, unknown>> = { kind: 'command', environmentId: 'local' }

/** SPEC SH2. Every other field is shown: the client may act on what vigil does not know. */
function saidIn(params: Fields): Fields {
  const said = Object.entries(params).filter(
    ([name, value]) => !BOOKS.has(name) && value !== null && value !== USUAL[name],
  )
  return Object.fromEntries(said)
}

function command(params: Fields): Described {
  const { command: line, ...more } = saidIn(params)
  const run = scriptIn(textIn(line) ?? '')
  const input = run
    ? { command: run.script, shell: run.shell, ...more }
    : { ...(line !== undefined && { command: line }), ...more }
  const isPlain = Object.keys(more).every((name) => name === 'cwd' || name === 'reason')
  const decisions = list(params.availableDecisions)
  const session = isPlain || decisions.includes(FOR_SESSION) ? [FOR_SESSION] : []
  const offers = [...session, ...decisions.filter((one) => typeof one === 'object')]
  return { kind: 'permission', tool: 'Bash', input, offers }
}

export const FOR_SESSION = 'acceptForSession'

function fileChange(params: Fields, changes: unknown): Described {
  const files = changedFiles(changes)
  const input = { ...(files.length > 0 && { changes: files }), ...saidIn(params) }
  return { kind: 'permission', tool: PATCHES, input, offers: [FOR_SESSION] }
}

function question(params: Fields): Described {
  const { questions, isBlocking: _, ...more } = saidIn(params)
  const asked = list(questions).map(fields)
  const input = { questions: asked.map(shownQuestion), ...more }
  const parts = asked.flatMap((one) => questionIn(one))
  return { kind: 'question', tool: ASKS, input, offers: asked, questions: parts }
}

/** Less its number, and whether own words are taken: an answer that is not taken is refused. */
function shownQuestion({ id: _, isOther: _other, isSecret, ...shown }: Fields): Fields {
  return isSecret === true ? { ...shown, isSecret } : shown
}
