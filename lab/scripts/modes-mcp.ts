import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Conversation } from '../conversation.ts'
import type { Place } from '../drive/place.ts'
import { say, tool } from '../model/script.ts'

/** The server's own dialog in the client. */
const ELICIT = /requests your input/

const ASK = tool('mcp__lab__ask', {})
const ARGS = ['--mcp-config', 'mcp.json', '--allowedTools', 'mcp__lab__ask mcp__lab__work']

/** Comes slowly, so that the work after the answer counts. */
const THANKS = say('Thank you for the name.', { overMs: 1000 })

/** Tools of an MCP server, which may ask the user by itself. */
export const modesMcp: readonly Conversation[] = [
  {
    name: 'mcp_tool',
    shows: 'A tool of an MCP server runs two seconds.',
    args: ARGS,
    prepare: serve,
    model: (talk) => talk.on('work', tool('mcp__lab__work', {})).next(say('It worked.')),
    async user(run) {
      const claude = await run.begin('work')
      await claude.becomes('idle')
    },
  },
  {
    name: 'mcp_elicit_accept',
    shows: 'A tool of an MCP server asks its user for a name, and is given one.',
    since: '2.1.100',
    args: ARGS,
    prepare: serve,
    model: (talk) => talk.on('ask', say('Asking.'), ASK).next(THANKS),
    async user(run) {
      const claude = await run.begin('ask me')
      await claude.becomes('waiting')
      await claude.sees(ELICIT)
      await run.stay()
      await claude.type('Anna')
      await claude.sees(/Name: Anna/)
      await claude.press('Down')
      await claude.sees(/❯ Accept/)
      await claude.answer(ELICIT, 'Enter')
      await claude.becomes('idle')
    },
  },
  {
    name: 'mcp_elicit_decline',
    shows: 'A tool of an MCP server asks its user, who declines; the turn goes on.',
    since: '2.1.100',
    args: ARGS,
    prepare: serve,
    model: (talk) => talk.on('ask', say('Asking.'), ASK).next(THANKS),
    async user(run) {
      const claude = await run.begin('ask me')
      await claude.becomes('waiting')
      await claude.sees(ELICIT)
      await run.stay()
      await claude.press('Down')
      await claude.sees(/❯ Accept/)
      await claude.press('Right')
      await claude.sees(/❯ Decline/)
      await claude.answer(ELICIT, 'Enter')
      await claude.becomes('idle')
    },
  },
  {
    name: 'mcp_elicit_escape',
    shows: 'Esc in the dialog of an MCP server cancels it, and the turn goes on.',
    since: '2.1.100',
    args: ARGS,
    prepare: serve,
    model: (talk) => talk.on('ask', say('Asking.'), ASK).next(THANKS),
    async user(run) {
      const claude = await run.begin('ask me')
      await claude.replyTo(ELICIT, 'Escape')
      await claude.becomes('idle')
    },
  },
  {
    name: 'mcp_elicit_left',
    shows: 'The dialog of an MCP server waits while it has no answer.',
    since: '2.1.100',
    args: ARGS,
    prepare: serve,
    model: (talk) => talk.on('ask', say('Asking.'), ASK),
    async user(run) {
      const claude = await run.begin('ask me')
      await claude.becomes('waiting')
      await run.stay(7500)
    },
  },
]

/** The server is in the project: no path of this machine gets into the recording. */
function serve({ project }: Place): void {
  copyFileSync(new URL('mcp/elicit.mjs', import.meta.url), join(project, 'elicit.mjs'))
  const lab = { command: 'node', args: ['elicit.mjs'] }
  writeFileSync(join(project, 'mcp.json'), JSON.stringify({ mcpServers: { lab } }))
}
