import { describe, expect, it } from 'vitest'
import type { RequestChoice } from '../../protocol/request.ts'
import type { AskedCall } from '../answers.ts'
import { decisionOf } from '../choice.ts'
import { codexAnswers } from './answer.ts'
import { askedOnServer } from './answer-request.ts'

const METHOD = 'mcpServer/elicitation/request'

/** As Codex 0.166.0 asks. */
const META = {
  codex_approval_kind: 'mcp_tool_call',
  persist: ['session', 'always', 'new'],
  tool_description: 'Keeps a note.',
  tool_params: { text: 'a note' },
  tool_params_display: [{ name: 'text', value: 'a note', display_name: 'text' }],
}
const PARAMS = {
  ...{ threadId: 't', turnId: 'u', serverName: 'notes', mode: 'form', _meta: META },
  message: 'Allow the notes MCP server to run tool "keep_note"?',
  requestedSchema: { type: 'object', properties: {} },
}

const asked = (more: object = {}): AskedCall => ({
  ...{ session: 't', actor: null },
  ...(askedOnServer(METHOD, { ...PARAMS, ...more })?.callWith(undefined) as AskedCall),
})
const output = (choice: RequestChoice, call = asked()) => decisionOf(codexAnswers, call, choice)

describe('a call of an MCP tool', () => {
  it('[CX67] is shown with its server, the question, its arguments and all else', () => {
    const call = asked({ _meta: { ...META, newer: 1 }, other: 2 })
    expect(call).toMatchObject({ kind: 'permission', tool: 'mcp__notes__keep_note', cut: false })
    expect(call.input).toEqual({
      ...{ message: PARAMS.message, server: 'notes', arguments: { text: 'a note' } },
      ...{ tool_description: 'Keeps a note.', newer: 1, other: 2 },
    })
  })

  it('[CX67] is allowed once, for the session or always, as far as that is offered', () => {
    const accept = { action: 'accept', content: null }
    expect(output({ choice: 'allow' })).toEqual({ output: { ...accept, _meta: null } })
    expect(codexAnswers.suggestionsOf(asked()).map(({ words }) => words)).toEqual([
      'always allow this tool in this session',
      'always allow this tool in every session',
    ])
    for (const [suggestion, persist] of ['session', 'always'].entries())
      expect(output({ choice: 'allow', suggestion })).toEqual({
        output: { ...accept, _meta: { persist } },
      })
    expect(output({ choice: 'allow', suggestion: 2 })).toHaveProperty('misfit')
    const once = asked({ _meta: { ...META, persist: undefined } })
    expect(output({ choice: 'allow', suggestion: 0 }, once)).toHaveProperty('misfit')
  })

  it('[CX67] is declined', () => {
    const declined = { action: 'decline', content: null, _meta: null }
    expect(output({ choice: 'deny', word: 'no' })).toEqual({ output: declined })
  })

  it('[CX67] too long to be shown is not allowed', () => {
    expect(output({ choice: 'allow' }, { ...asked(), cut: true })).toHaveProperty('misfit')
  })

  it('[CX67] with a question in other words is the server’s', () => {
    expect(asked({ message: 'Allow it?' })).toMatchObject({ tool: 'mcp__notes' })
  })
})

it.each([
  ['with fields', { requestedSchema: { type: 'object', properties: { a: { type: 'string' } } } }],
  ['without a schema', { requestedSchema: undefined }],
  ['of the MCP server itself', { _meta: null }],
  ['of another kind', { _meta: { ...META, codex_approval_kind: 'other' } }],
  ['that opens an address', { mode: 'url', url: 'https://example.org' }],
  ['without a turn', { turnId: null }],
  ['without a server', { serverName: null }],
])('[CX67] a form %s is left to the terminal', (_, more) => {
  expect(askedOnServer(METHOD, { ...PARAMS, ...more })).toBeUndefined()
})
