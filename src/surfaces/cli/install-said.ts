import { unifiedDiff } from '../../install/diff.ts'
import type { Installed } from '../../install/install.ts'
import type { Outcome } from '../../install/write.ts'
import type { ChosenAgent } from './install-which.ts'

type Done = Omit<Installed, 'agent'> & ChosenAgent & { readonly allEvents?: boolean | undefined }

export function installJson(all: readonly Done[], dryRun: boolean) {
  const agents = all.map(({ agent, client, set, events, hook, options, target }) => {
    const of = { agent: agent.id, client: client ?? null, oldest: target.oldest }
    return { ...of, set, events, hook, options }
  })
  const files = all.flatMap(({ outcomes }) => outcomes.map(fileJson))
  return { dryRun, agents, files }
}

export function fileJson({ agent, path, changed, backup, warnings, before, after }: Outcome) {
  const how = after === undefined ? 'absent' : before === undefined ? 'created' : 'present'
  return { agent, settings: path, changed, file: how, ...(backup && { backup }), warnings }
}

export function installText(all: readonly Done[], dryRun: boolean): string[] {
  const lines = all.flatMap((done) => [
    headOf(done),
    ...olderLines(done),
    ...done.outcomes.flatMap((outcome) => linesOf(outcome, dryRun, PUT_IN)),
  ])
  const changed = all.filter(({ outcomes }) => outcomes.some((outcome) => outcome.changed))
  if (changed.length === 0 || dryRun) return lines
  const next = changed.flatMap(({ agent, options }) =>
    agent.setup.options.flatMap(({ name, next: said }) =>
      options.includes(name) && said ? [said] : [],
    ),
  )
  const outcomes = changed.flatMap((done) => done.outcomes)
  return [...lines, outcomes.every(({ inForce }) => inForce) ? NEXT : NOT_YET, ...next]
}

function headOf({ agent, client, events, target, allEvents }: Done): string {
  if (client) {
    const { length: known } = agent.setup.knownEvents(client.version)
    const { length: count } = agent.setup.wantedEvents(client.version, allEvents)
    const more = count < known ? `; it knows ${known}, which --all-events installs` : ''
    return `${agent.title} ${client.version} (${client.path}): ${count} hook events${more}`
  }
  if (Object.values(target.oldest ?? {}).some(Boolean)) return `no ${agent.command} in PATH`
  return (
    `no ${agent.command} in PATH: the ${events.length} hook events that every ${agent.title} ` +
    `from ${agent.oldest} on knows; name yours with --${agent.command} for more`
  )
}

/** SPEC I15. Homes whose oldest client is not the client in PATH, and what is left out for it. */
function olderLines({ agent, client, target, allEvents }: Done): string[] {
  const { title, setup } = agent
  return Object.entries(target.oldest ?? {}).flatMap(([home, oldest]) => {
    if (!oldest || oldest.version === client?.version) return []
    const { version, seen } = oldest
    const events = setup.wantedEvents(version, allEvents)
    const wanted = setup.wantedEvents(client?.version, allEvents)
    const without = wanted.filter((event) => !events.includes(event))
    if (client && events.length === wanted.length) return []
    const less = without.length === 0 ? '' : `, without ${without.join(', ')}`
    return `${home}: ${title} ${version} uses it (${seen}): ${events.length} hook events${less}`
  })
}

const NOT_YET =
  'No session reports to vigil by hooks until you fix the warning above; `vigil uninstall` ' +
  'undoes all of it.'

const NEXT =
  'Sessions that you start from now on report to vigil; `vigil uninstall` undoes all of it.'

export function uninstallText(outcomes: readonly Outcome[], dryRun: boolean): string[] {
  return outcomes.flatMap((outcome) => linesOf(outcome, dryRun, TAKEN_OUT))
}

export interface Stays {
  readonly what: string
  /** The command that removes it. */
  readonly remove: string
}

export function staysText(stays: readonly Stays[]): string[] {
  if (stays.length === 0) return []
  return ['Not removed:', ...stays.map(({ what, remove }) => `  ${what}: ${remove}`)]
}

interface Words {
  readonly done: string
  readonly would: string
  readonly nothing: string
}

const PUT_IN: Words = {
  done: 'hooks added',
  would: 'would change',
  nothing: 'hooks are up to date, nothing to change',
}

const TAKEN_OUT: Words = {
  done: 'hooks removed',
  would: 'would change',
  nothing: 'no hooks of vigil in it',
}

function linesOf(outcome: Outcome, dryRun: boolean, words: Words): string[] {
  const { path, before, after, changed, backup, warnings, dropped } = outcome
  const made = before === undefined ? ' (new file)' : ''
  const gone = after === undefined ? ' (file removed: vigil made it)' : ''
  const what = changed ? `${dryRun ? words.would : words.done}${made}${gone}` : words.nothing
  const diff = unifiedDiff(path, before ?? '', after ?? '').trimEnd()
  return [
    `${path}: ${what}`,
    ...(dropped.length > 0 ? [`  no longer: ${dropped.join(', ')}`] : []),
    ...(backup ? [`  backup: ${backup}`] : []),
    ...warnings.map((warning) => `  warning: ${warning}`),
    ...(changed && dryRun ? diff.split('\n') : []),
  ]
}
