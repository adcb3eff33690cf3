import { dirname } from 'node:path'
import type { OwnPaths, Setup } from '../agents/setup.ts'
import type { Folders } from '../home/folders.ts'
import { trustedPath } from '../platform/programs.ts'
import { makeFolders } from './files.ts'
import { eventsIn, homesIn, type Note, type NotedHome, readNote, writeNote } from './note.ts'
import { removeUnwanted, wantedBy, writeOwn } from './own-files.ts'
import { type InstallPlan, type InstallWish, ownPathsOf, planFor, type Target } from './plan.ts'
import { hookOf, type ScriptOptions } from './scripts.ts'
import { cleanTraces } from './traces.ts'
import { type Outcome, outcomesOf, writeHome } from './write.ts'

export interface InstallOptions extends InstallWish, Omit<ScriptOptions, 'path'> {
  readonly folders: Folders
  readonly targets: readonly Target[]
  readonly dryRun?: boolean | undefined
  readonly now?: () => Date
}

export interface Installed {
  readonly agent: string
  /** The events in the settings of every home. */
  readonly events: readonly string[]
  /** Whether they are all that the client knows. */
  readonly set: 'all' | 'short'
  readonly hook: string
  /** The options in force in at least one home. */
  readonly options: readonly string[]
  readonly outcomes: readonly Outcome[]
}

/** SPEC I4. Plans all homes first: if one plan fails, nothing is written. */
export function install(options: InstallOptions): Installed[] {
  const { folders, targets, dryRun } = options
  const note = readNote(folders)
  const plans = targets.flatMap((target) =>
    target.homes.map((home) => planFor(target, home, folders, note, options)),
  )
  const own = targets.map(({ agent }) => hookOf(folders, agent))
  const hooks = [...new Set([...note.hooks, ...own])]
  const planned = plans.reduce(noted, { ...note, hooks })
  const files = wantedBy(planned)
  const outcomes = dryRun
    ? plans.flatMap(outcomesOf)
    : carriedOut(plans, { ...note, hooks }, files, options)
  return targets.map(({ agent, setup, homes }) => {
    const memories = Object.values(homesIn(planned, agent)).map(({ memory }) => memory)
    const own = ownPathsOf(agent, folders)
    const [{ events, set } = { events: [], set: 'all' as const }] = homes
      .flatMap((home) => homesIn(planned, agent)[home] ?? [])
      .map((place) => hooksIn(setup, place, own))
      .toSorted((one, other) => one.events.length - other.events.length)
    return {
      agent,
      events,
      set,
      hook: hookOf(folders, agent),
      options: [...new Set(memories.flatMap(setup.has))],
      outcomes: outcomes.filter((outcome) => outcome.agent === agent),
    }
  })
}

function hooksIn(setup: Setup, place: NotedHome, own: OwnPaths): Pick<Installed, 'events' | 'set'> {
  const events = eventsIn(setup, place, own)
  const known = setup.knownEvents(place.version ?? undefined)
  return { events, set: known.every((event) => events.includes(event)) ? 'all' : 'short' }
}

function carriedOut(
  plans: readonly InstallPlan[],
  note: Note,
  files: ReturnType<typeof wantedBy>,
  options: InstallOptions,
): Outcome[] {
  const { folders, node, vigil, now = () => new Date() } = options
  writeOwn(folders, files, { node, vigil, path: trustedPath() })
  let known = note
  const begun = (plan: InstallPlan): InstallPlan => {
    const made = plan.files.flatMap(({ path }) => makeFolders(dirname(path)))
    const place = { ...plan.noted, made: [...made, ...plan.noted.made] }
    // Written before the files: a note of a change that did not happen does no harm.
    known = noted(known, { ...plan, noted: place })
    writeNote(folders, known)
    return plan
  }
  const outcomes = plans.flatMap((plan) => {
    const again = () => begun(planFor(plan.target, plan.home, folders, known, options))
    return writeHome(begun(plan), folders, now, again)
  })
  removeUnwanted(folders, files)
  for (const { target, home } of plans) cleanTraces(target, home, folders, known)
  return outcomes
}

function noted(note: Note, { target, home, noted: place }: InstallPlan): Note {
  const homes = { ...homesIn(note, target.agent), [home]: place }
  const agent = { version: place.version ?? null, homes }
  return { ...note, agents: { ...note.agents, [target.agent]: agent } }
}
