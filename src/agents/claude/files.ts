/** Where Claude Code stores its files, and what its process looks like. */

import { type Fields, fields } from '../read.ts'

/** The folder in which a client with this environment stores its files. */
export function configFolderOf(env: Env, home: string): string {
  const given = env.CLAUDE_CONFIG_DIR?.replace(/(?<=.)\/+$/, '')
  return given?.startsWith('/') ? given : `${home}/.claude`
}

type Env = Readonly<Record<string, string | undefined>>

export function registryFolder(config: string): string {
  return `${config}/sessions`
}

export function registryFileName(pid: number): string {
  return `${pid}.json`
}

/** `<pid>.json`. `<pid>.<hex>.key` beside it is a secret that vigil must not read. */
export function registryPid(name: string): number | undefined {
  const pid = /^([1-9]\d{0,9})\.json$/.exec(name)?.[1]
  return pid === undefined ? undefined : Number(pid)
}

/** The fields of a registry file that are used or shown; its sockets and tokens are private. */
const REGISTRY_FIELDS = [
  'pid',
  'sessionId',
  'cwd',
  'startedAt',
  'procStart',
  'version',
  'kind',
  'entrypoint',
  'tmux',
  'name',
  'nameSource',
  'status',
  'statusUpdatedAt',
  'updatedAt',
  'waitingFor',
] as const

/** The file reduced to what vigil stores: plain values under known names. */
export function registryFields(file: unknown): Fields {
  const given = fields(file)
  const kept: Record<string, string | number> = {}
  for (const name of REGISTRY_FIELDS) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (typeof value === 'string' || typeof value === 'number') kept[name] = value
  }
  return kept
}

export function projectsFolder(config: string): string {
  return `${config}/projects`
}

/**
 * The folder of a session's other files: `<project>/<session>` for `<project>/<session>.jsonl`, and
 * for every subagent's transcript below it.
 */
export function sessionFolder(projects: string, transcript: string): string | undefined {
  const [project, session] = below(projects, transcript)
  if (!project || !session) return undefined
  return `${projects}/${project}/${session.replace(/\.jsonl$/, '')}`
}

/** A main agent's transcript, or a subagent's; not a workflow's journal, not a tool's output. */
export function isTranscript(projects: string, path: string): boolean {
  const parts = below(projects, path)
  const name = parts.at(-1) ?? ''
  if (!name.endsWith('.jsonl')) return false
  return parts.length === 2 || (parts[2] === 'subagents' && name.startsWith('agent-'))
}

export function subagentLog(transcript: string, actor: string): string {
  return `${transcript.replace(/\.jsonl$/, '')}/subagents/agent-${actor}.jsonl`
}

/** Subagents write in `<session>/subagents`, workflows in `workflows/<run>` below that. */
export function holdsSubagents(projects: string, folder: string): boolean {
  const [, , subagents, workflows, , ...more] = below(projects, folder)
  if (subagents !== undefined && subagents !== 'subagents') return false
  return (workflows === undefined || workflows === 'workflows') && more.length === 0
}

function below(projects: string, path: string): string[] {
  return path.startsWith(`${projects}/`) ? path.slice(projects.length + 1).split('/') : []
}

/** Entries of the client's own listings: long, frequent, and no step of the session. */
export function isListing(entry: unknown): boolean {
  const { type } = fields(entry)
  return typeof type === 'string' && LISTING.test(type)
}

const LISTING = /^(attachment$|file-history-|api-request|skill|tools-used|atis)/
