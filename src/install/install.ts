import { eventsFor, type HookEvent, handlerFor } from '../agents/claude/events.ts'
import { Refused } from '../edit/refused.ts'
import type { Folders } from '../home/folders.ts'
import { trustedPath } from '../home/programs.ts'
import { backUp } from './backup.ts'
import { Changed, makeFolders, replaceSettings } from './files.ts'
import { hasPlugin, type Note, readNote, writeNote } from './note.ts'
import { type Own, ownOf } from './own.ts'
import { type Plan, planFor, type Wish } from './plan.ts'
import { forgetPlugin, removePlugin, writePlugin } from './plugin.ts'
import { writeHooks } from './scripts.ts'

export interface InstallOptions {
  readonly folders: Folders
  readonly configDirs: readonly string[]
  /** The client's; without one only events that every supported client knows. */
  readonly version?: string | undefined
  /** Undefined keeps the status line as it is. */
  readonly statusline?: boolean | undefined
  /** Undefined keeps the plugin as it is, in or out. */
  readonly plugin?: boolean | undefined
  /** False: its user has set the client's cap on blocked Stops elsewhere. */
  readonly cap?: boolean | undefined
  /** The Node and the `bin/vigil.js` that hooks start the daemon with. */
  readonly node: string
  readonly vigil: string
  readonly dryRun?: boolean | undefined
  readonly now?: () => Date
}

export interface Outcome {
  readonly configDir: string
  readonly settings: string
  /** Undefined where there is no file. */
  readonly before: string | undefined
  readonly after: string | undefined
  readonly changed: boolean
  readonly backup?: string
  readonly warnings: readonly string[]
}

export interface Installed {
  readonly events: readonly HookEvent[]
  readonly hook: string
  /** Some folder has the plugin. */
  readonly plugin: boolean
  readonly outcomes: readonly Outcome[]
}

/** SPEC I4. Plans for every folder first, so that one that cannot be done leaves all as it was. */
export function install(options: InstallOptions): Installed {
  const { folders, version, dryRun } = options
  const events = eventsFor(version)
  if (events.length === 0) throw new Refused(`Claude Code ${version} knows no hooks; update it`)
  const note = readNote(folders)
  const own = ownOf(folders, note)
  const wanted = new Map(events.map((event) => [event, handlerFor(event, own.hook, version)]))
  const { statusline, plugin, cap = true } = options
  const wish = { wanted, version, statusline, plugin, cap }
  const plans = options.configDirs.map((dir) => planFor(dir, note.places[dir], own, wish))
  const command = commandOf(plans, note)
  const isPlugged = plans.some(({ place }) => hasPlugin(place)) || holdsPlugin(note, options)
  const installed = { events, hook: own.hook, plugin: isPlugged }
  if (dryRun) return { ...installed, outcomes: plans.map((plan) => outcomeOf(plan)) }
  const { node, vigil } = options
  const path = trustedPath()
  writeHooks(folders, { node, vigil, path, ...(command !== undefined && { statusline: command }) })
  if (isPlugged) writePlugin(folders, { node, vigil })
  const hooks = [...new Set([...note.hooks, own.hook])]
  const known: Note = { ...note, client: version ?? null, hooks }
  const outcomes = carryOut(plans, known, own, wish, options)
  if (!isPlugged) removePlugin(folders)
  if (plugin === false) for (const { configDir } of plans) forgetPlugin(configDir, folders)
  return { ...installed, outcomes }
}

/** A folder that this install leaves alone has it. */
function holdsPlugin({ places }: Note, { configDirs }: InstallOptions): boolean {
  return Object.entries(places).some(
    ([dir, place]) => !configDirs.includes(dir) && hasPlugin(place),
  )
}

/** One script speaks for all folders, so it can pass only one command through. */
function commandOf(plans: readonly Plan[], note: Note): string | null | undefined {
  const planned = new Set(plans.map(({ configDir }) => configDir))
  const others = Object.entries(note.places)
    .filter(([dir, { wrapped }]) => wrapped && !planned.has(dir))
    .map(([, { wrapped }]) => (wrapped?.literal ? String(JSON.parse(wrapped.literal)) : null))
  const passed = plans.map(({ passes }) => passes).filter((passes) => passes !== undefined)
  const all = new Set([...passed, ...others])
  if (all.size <= 1) return [...all][0]
  const named = [...all].map((command) => command ?? 'none').join('; ')
  throw new Refused(
    `--statusline: these config folders have different status lines (${named}); ` +
      'give the one to watch by --config-dir',
  )
}

function carryOut(
  plans: readonly Plan[],
  note: Note,
  own: Own,
  wish: Wish,
  { folders, now = () => new Date() }: InstallOptions,
): Outcome[] {
  let known = note
  return plans.map((planned) => {
    let plan = planned
    for (let tries = 1; ; tries++) {
      const made = [...makeFolders(plan.configDir), ...plan.place.made]
      // Before the file itself: a note of what did not happen does no harm.
      const places = { ...known.places, [plan.configDir]: { ...plan.place, made } }
      known = { ...known, places }
      writeNote(folders, known)
      const { text } = plan.found
      if (text === plan.after) return outcomeOf(plan)
      const backup = text === undefined ? undefined : backUp(folders, plan.found.path, text, now())
      try {
        replaceSettings(plan.found, plan.after)
        return outcomeOf(plan, backup)
      } catch (error) {
        if (!(error instanceof Changed) || tries >= TRIES_MAX) throw asRefused(error)
        plan = planFor(plan.configDir, known.places[plan.configDir], own, wish)
      }
    }
  })
}

/** A client writes its settings now and then; who writes them all the time is not waited for. */
export const TRIES_MAX = 5

export function asRefused(error: unknown): unknown {
  if (!(error instanceof Changed)) return error
  return new Refused(`${error.message}: is being changed by somebody else; try again`)
}

function outcomeOf({ configDir, found, after, warnings }: Plan, backup?: string): Outcome {
  const { path: settings, text: before } = found
  const changed = before !== after
  return { configDir, settings, before, after, changed, warnings, ...(backup && { backup }) }
}
