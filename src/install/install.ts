import { dirname } from 'node:path'
import { Refused } from '../edit/refused.ts'
import type { Folders } from '../home/folders.ts'
import { trustedPath } from '../home/programs.ts'
import { backUp } from './backup.ts'
import { Changed, type Found, makeFolders, replaceSettings } from './files.ts'
import { homesIn, type Note, readNote, writeNote } from './note.ts'
import { removeUnwanted, wantedBy, writeOwn } from './own-files.ts'
import { type Plan, planFor, type Target, type Wanted } from './plan.ts'
import { hookOf, type ScriptOptions } from './scripts.ts'
import { cleanTraces } from './traces.ts'

export interface InstallOptions extends Wanted, Omit<ScriptOptions, 'path'> {
  readonly folders: Folders
  readonly targets: readonly Target[]
  readonly dryRun?: boolean | undefined
  readonly now?: () => Date
}

/** What became of one file. */
export interface Outcome {
  readonly agent: string
  readonly home: string
  readonly path: string
  /** Undefined where there is no file. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly changed: boolean
  readonly backup?: string
  readonly warnings: readonly string[]
}

export interface Installed {
  readonly agent: string
  readonly events: readonly string[]
  readonly hook: string
  /** Those in force in some home. */
  readonly options: readonly string[]
  readonly outcomes: readonly Outcome[]
}

/** SPEC I4. Plans for every home first, so that one that cannot be done leaves all as it was. */
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
    ? plans.flatMap((plan) => plan.files.map((file, at) => outcomeOf(plan, file, at)))
    : carriedOut(plans, { ...note, hooks }, files, options)
  return targets.map(({ agent, setup, version }) => {
    const memories = Object.values(homesIn(planned, agent)).map(({ memory }) => memory)
    return {
      agent,
      events: setup.eventsFor(version),
      hook: hookOf(folders, agent),
      options: [...new Set(memories.flatMap(setup.has))],
      outcomes: outcomes.filter((outcome) => outcome.agent === agent),
    }
  })
}

function carriedOut(
  plans: readonly Plan[],
  note: Note,
  files: ReturnType<typeof wantedBy>,
  options: InstallOptions,
): Outcome[] {
  const { folders, node, vigil } = options
  writeOwn(folders, files, { node, vigil, path: trustedPath() })
  let known = note
  const outcomes = plans.flatMap((plan) => {
    const done = carryOut(plan, known, options)
    known = done.note
    return done.outcomes
  })
  removeUnwanted(folders, files)
  for (const { target, home } of plans) cleanTraces(target, home, folders, known)
  return outcomes
}

function noted(note: Note, { target, home, noted: place }: Plan): Note {
  const homes = { ...homesIn(note, target.agent), [home]: place }
  const agent = { version: target.version ?? null, homes }
  return { ...note, agents: { ...note.agents, [target.agent]: agent } }
}

/** One home: whoever changes one of its files meanwhile has it planned again. */
function carryOut(
  planned: Plan,
  note: Note,
  options: InstallOptions,
): { readonly note: Note; readonly outcomes: Outcome[] } {
  const { folders, now = () => new Date() } = options
  const written = new Map<string, { readonly text: string | undefined; readonly backup?: string }>()
  let [plan, known] = [planned, note]
  for (let tries = 1; ; tries++) {
    const folder = plan.files.map(({ path }) => dirname(path))
    const made = [...folder.flatMap(makeFolders), ...plan.noted.made]
    // Before the files themselves: a note of what did not happen does no harm.
    known = noted(known, { ...plan, noted: { ...plan.noted, made } })
    writeNote(folders, known)
    try {
      for (const { file, text, path, after, ...found } of plan.files) {
        if (text === after) continue
        const backup = text === undefined ? undefined : backUp(folders, path, text, now())
        replaceSettings({ text, path, ...found }, after)
        written.set(file, { text, ...(backup && { backup }) })
      }
      const outcomes = plan.files.map((file, at) =>
        outcomeOf(plan, { ...file, ...written.get(file.file) }, at),
      )
      return { note: known, outcomes }
    } catch (error) {
      if (!(error instanceof Changed) || tries >= TRIES_MAX) throw asRefused(error)
      plan = planFor(plan.target, plan.home, folders, known, options)
    }
  }
}

/** A client writes its settings now and then; who writes them all the time is not waited for. */
export const TRIES_MAX = 5

export function asRefused(error: unknown): unknown {
  if (!(error instanceof Changed)) return error
  return new Refused(`${error.message}: is being changed by somebody else; try again`)
}

type File = Pick<Found, 'path' | 'text'> & {
  readonly after: string | undefined
  readonly backup?: string
}

/** What is to be said of a home is said with its first file. */
function outcomeOf({ target, home, warnings: all }: Plan, file: File, at: number): Outcome {
  const { path, text: before, after, backup } = file
  const warnings = at === 0 ? all : []
  const changed = before !== after
  return {
    agent: target.agent,
    home,
    path,
    before,
    after,
    changed,
    warnings,
    ...(backup && { backup }),
  }
}
