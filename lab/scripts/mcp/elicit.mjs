/**
 * A small MCP server over standard input and output, one JSON object a line, for any Node. Its tool
 * `ask` asks the user of the client for a name; its tool `work` takes two seconds.
 */
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'

const TOOLS = [
  { name: 'ask', description: 'asks the user', inputSchema: { type: 'object', properties: {} } },
  { name: 'work', description: 'takes a while', inputSchema: { type: 'object', properties: {} } },
]

const QUESTION = {
  message: 'Which name shall it have?',
  requestedSchema: {
    type: 'object',
    properties: { name: { type: 'string', title: 'Name', description: 'any name' } },
    required: ['name'],
  },
}

const WORK_MS = 2000

/** What to do with the answers that are still to come, by the id of the question. */
const asked = new Map()

createInterface({ input: process.stdin }).on('line', (line) => take(JSON.parse(line)))

async function take(message) {
  if (message.method === undefined) asked.get(message.id)?.(message)
  else if (message.id !== undefined) send({ id: message.id, ...(await answer(message)) })
}

async function answer({ method, params }) {
  if (method === 'initialize') return { result: greeting(params.protocolVersion) }
  if (method === 'tools/list') return { result: { tools: TOOLS } }
  if (method === 'ping') return { result: {} }
  if (method === 'tools/call' && params.name === 'ask') return { result: said(await ask()) }
  if (method === 'tools/call' && params.name === 'work') {
    await sleep(WORK_MS)
    return { result: said('worked') }
  }
  return { error: { code: -32601, message: `${method} is not served here` } }
}

function greeting(protocolVersion) {
  const serverInfo = { name: 'lab', version: '1.0.0' }
  return { protocolVersion, capabilities: { tools: {} }, serverInfo }
}

/** What the user chose: accept, with what was typed, decline or cancel. */
async function ask() {
  const id = `ask-${asked.size + 1}`
  const { result, error } = await new Promise((resolve) => {
    asked.set(id, resolve)
    send({ id, method: 'elicitation/create', params: QUESTION })
  })
  return JSON.stringify(result ?? error)
}

function said(text) {
  return { content: [{ type: 'text', text }] }
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
