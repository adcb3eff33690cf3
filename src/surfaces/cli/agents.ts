import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import type { Command } from 'commander'
import type { Agent } from '../../agents/agent.ts'
import type { Level } from '../../agents/finding.ts'
import { type Folders, foldersOf } from '../../home/folders.ts'
import { checkSetup } from '../../install/check.ts'
import { homesIn, readNote } from '../../install/note.ts'
import type { Health } from '../../protocol/daemon.ts'
import { ageOf } from '../../view/session.ts'
import { type AgentHere, agentsHere } from './agents-here.ts'
import { out } from './output.ts'
import { reachIfRunning } from './reach.ts'

export function addAgents(program: Command): void {
  program
    .command('agents')
    .description(
      'list the agents that vigil supports: where they are, and what vigil can do with each',
    )
    .option('--json', 'print an array with one object for each agent')
    .addHelpText('after', HELP)
    .action((options: { readonly json?: boolean }) => agents(options))
}

const HELP = `
vigil finds an agent by its program in PATH or by its config folder. "set up" means that vigil's
hooks are installed. Without hooks vigil reads the agent's files, processes and screens.

  see      show its sessions and states         loop     keep it working (vigil loop)
  answer   its requests (vigil answer)          resume   resume a closed session
  type     into its pane (vigil say)            cost     count its tokens (vigil insight)

Examples:
  vigil agents
  vigil agents --json | jq -r '.[] | select(.found) | .agent'`

interface HomeHere {
  readonly path: string
  readonly exists: boolean
  readonly setUp: 'yes' | 'no' | 'incomplete'
  /** What the user should do; null if nothing. */
  readonly todo: string | null
}

interface ListedAgent {
  readonly agent: string
  readonly title: string
  readonly found: boolean
  readonly version: string | null
  readonly program: string | null
  readonly homes: readonly HomeHere[]
  readonly can: Readonly<Record<string, boolean>>
  /** When its last report arrived; null if unknown. */
  readonly heardAt: number | null
}

/** SPEC AG1. */
async function agents({ json }: { readonly json?: boolean }): Promise<void> {
  const folders = foldersOf()
  const health = await healthIfRunning(folders)
  const listed: ListedAgent[] = []
  for (const here of agentsHere({ env: process.env, folders, health }))
    listed.push(await listedAs(here, folders, health))
  if (json) out.json(listed)
  else out.lines(listed.flatMap((agent) => linesOf(agent, health?.now ?? Date.now())))
}

async function healthIfRunning(folders: Folders): Promise<Health | undefined> {
  try {
    return await (await reachIfRunning(folders))?.health()
  } catch {
    return undefined
  }
}

async function listedAs(
  here: AgentHere,
  folders: Folders,
  health: Health | undefined,
): Promise<ListedAgent> {
  const { agent, client, isFound } = here
  return {
    agent: agent.id,
    title: agent.title,
    found: isFound,
    version: client?.version ?? null,
    program: client?.path ?? null,
    homes: await Promise.all(here.homes.map((home) => homeHere(here, home, folders))),
    can: agentAbilities(agent),
    heardAt: health?.agents[agent.id]?.heardAt ?? null,
  }
}

const WORST: readonly Level[] = ['problem', 'warning', 'ok']

async function homeHere(here: AgentHere, path: string, folders: Folders): Promise<HomeHere> {
  const { agent, clients } = here
  const isNoted = Object.hasOwn(homesIn(readNote(folders), agent.id), path)
  const exists = existsSync(path)
  if (!exists && !isNoted) return { path, exists, setUp: 'no', todo: null }
  const findings = await checkSetup(agent, [path], clients, { folders, env: process.env })
  const worst = WORST.map((level) => findings.find((one) => one.level === level)).find(Boolean)
  const todo = worst?.todo ?? null
  if (worst?.level === 'ok') return { path, exists, setUp: 'yes', todo }
  return { path, exists, setUp: isNoted ? 'incomplete' : 'no', todo }
}

/** SPEC AG3. An agent's optional members are what vigil can do with it. */
export function agentAbilities(agent: Agent): Readonly<Record<string, boolean>> {
  const { answers, input, loop, resume, usage } = agent
  const has = (member: unknown) => member !== undefined
  return {
    see: true,
    answer: has(answers),
    type: has(input),
    loop: has(loop),
    resume: has(resume),
    cost: has(usage),
  }
}

const SET_UP = { yes: 'set up', no: 'not set up', incomplete: 'set up in part' } as const

function linesOf(listed: ListedAgent, now: number): string[] {
  const { title, found, version, program, heardAt } = listed
  const heard = heardAt === null ? [] : [`last report ${ageOf(now - heardAt)} ago`]
  const words = found ? [version ?? 'version unknown', ...heard] : ['not found on this machine']
  const can = Object.entries(listed.can).flatMap(([name, able]) => (able ? [name] : []))
  const homes = listed.homes.filter(({ exists }) => exists)
  return [
    `${title}  ${words.join(' · ')}`,
    ...(program ? [`  program  ${program}`] : []),
    ...homes.map(({ path, setUp, todo }) => {
      return `  folder   ${shortened(path)}: ${SET_UP[setUp]}${todo ? ` (${todo})` : ''}`
    }),
    `  can      ${can.join(', ')}`,
  ]
}

function shortened(path: string): string {
  const home = process.env.HOME || homedir()
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}
