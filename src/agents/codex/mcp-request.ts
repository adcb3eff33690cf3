import type { InputLayout, Suggestion } from '../../protocol/request.ts'
import { type Fields, fields, list, textIn } from '../read.ts'

/** SPEC CX67. The client asks for a call of an MCP server's tool by a form without fields. */
export const MCP_METHOD = 'mcpServer/elicitation/request'

const TOOLS = 'mcp__'

export function isMcpTool(tool: string): boolean {
  return tool.startsWith(TOOLS)
}

/** Undefined for any other form: its answers would go to the server itself. */
export function mcpCall(params: Fields) {
  const { serverName, mode, message, requestedSchema, _meta, ...rest } = params
  const { threadId: _thread, turnId: _turn, ...others } = rest
  const {
    codex_approval_kind,
    persist,
    tool_params,
    tool_params_display: _,
    ...more
  } = fields(_meta)
  const [server, text] = [textIn(serverName), textIn(message)]
  if (codex_approval_kind !== 'mcp_tool_call' || mode !== 'form') return undefined
  if (server === undefined || text === undefined || !isEmptyForm(requestedSchema)) return undefined
  const offers = list(persist).filter((one) => Object.hasOwn(WORDS, String(one)))
  const input = { message: text, server, arguments: tool_params ?? {}, ...more, ...others }
  return { kind: 'permission' as const, tool: toolOf(server, text), input, offers }
}

/** Only the question itself has the tool's name. */
function toolOf(server: string, message: string): string {
  const tool = /\brun tool "([\w.-]{1,100})"\?$/.exec(message)?.[1]
  return tool === undefined ? `${TOOLS}${server}` : `${TOOLS}${server}__${tool}`
}

function isEmptyForm(schema: unknown): boolean {
  const { type, properties } = fields(schema)
  return type === 'object' && Object.keys(fields(properties)).length === 0
}

const WORDS: Readonly<Record<string, string>> = {
  session: 'always allow this tool in this session',
  always: 'always allow this tool in every session',
}

export function mcpSuggestions(offers: readonly unknown[]): readonly Suggestion[] {
  return offers.map((offer, index) => ({ index, words: WORDS[String(offer)] ?? '' }))
}

/** `persist`: an offer that was chosen. */
export function mcpAnswer(action: 'accept' | 'decline', persist?: unknown): Fields {
  return { action, content: null, _meta: persist === undefined ? null : { persist } }
}

export const MCP_LAYOUT: InputLayout = { parts: [], explains: ['tool_description'] }
