/** A server of one tool that writes, over the Model Context Protocol on standard input and output. */
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [file] = process.argv.slice(2)
const TOOL = {
  name: 'keep_note',
  description: 'Keeps a note.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
}

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'notes', version: '1' },
  }),
  'tools/list': () => ({ tools: [TOOL] }),
  'tools/call': ({ arguments: { text } }) => {
    writeFileSync(file, text)
    return { content: [{ type: 'text', text: 'kept' }] }
  },
  ping: () => ({}),
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const result = ANSWERS[method]?.(params ?? {})
  const answer = result ? { result } : { error: { code: -32601, message: 'no such method' } }
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
}
