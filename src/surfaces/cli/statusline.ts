import type { Command } from 'commander'
import type { Agent } from '../../agents/agent.ts'
import { AGENTS } from '../../agents/index.ts'
import { parseJson } from '../../core/json.ts'
import { foldersOf } from '../../home/folders.ts'
import { agentOption } from './option-words.ts'
import { out } from './output.ts'
import { fleetWords, shortLine } from './statusline-line.ts'
import { passThrough, readAll } from './statusline-pass.ts'
import { spoolStatusline } from './statusline-spool.ts'

export function addStatusline(program: Command): void {
  program
    .command('statusline')
    .description('report an agent’s status line to vigil, then run your own status line command')
    .addOption(agentOption(program, 'which agent, if several have a status line', able()))
    .argument('[command...]', 'your own status line command, after --')
    .addHelpText('after', help())
    .action((command: string[], { agent }: { readonly agent?: string }) => {
      const [first] = able().filter(({ id }) => agent === undefined || id === agent)
      return first && statusline(command, first)
    })
}

/** Agents that give figures to a status line. */
function able(): Agent[] {
  return AGENTS.filter((agent) => agent.statusLine)
}

function help(): string {
  const commands = ['vigil statusline', 'vigil statusline -- my-status --short']
  const examples = able().flatMap(({ title, statusLine }) => [
    `Examples, in the settings of ${title}:`,
    ...commands.map((command) => `  ${statusLine?.settingFor(command)}`),
  ])
  return `
${examples.join('\n')}

Your command gets the client's input, and vigil passes on its output, errors and exit code as is.
Without a command, vigil prints the model, the context used and the other sessions, if the daemon is
running. It never starts the daemon, and never fails.

\`vigil install --statusline\` adds this to your present status line, without starting Node
each time.`
}

async function statusline([program, ...args]: readonly string[], agent: Agent): Promise<void> {
  const folders = foldersOf()
  const fleet = program === undefined ? fleetWords(folders) : ''
  const payload = await readAll(process.stdin)
  const figures = objectIn(payload)
  // The reader would only set aside what is not a JSON object.
  if (figures) spoolStatusline(folders.spool, payload, process.env, agent)
  if (program !== undefined) {
    await passThrough(program, args, payload)
    return
  }
  const line = shortLine(agent.statusLine?.figuresIn(figures) ?? {}, await fleet)
  out.lines([line], () => process.exit(0))
}

function objectIn(payload: Buffer): object | undefined {
  const value = parseJson(payload.toString())
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}
