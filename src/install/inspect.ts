import { join } from 'node:path'
import { eventsFor, type HookEvent, isMute } from '../agents/claude/events.ts'
import { memberOf, parseSettings } from '../edit/document.ts'
import { Refused } from '../edit/refused.ts'
import type { Folders } from '../home/folders.ts'
import { readSettings } from './files.ts'
import { ownHooks } from './hooks.ts'
import { readNote } from './note.ts'
import { isBlank, ownOf } from './own.ts'

export interface Inspected {
  readonly configDir: string
  readonly settings: string
  /** Events that vigil's hook is registered for. */
  readonly events: readonly string[]
  /** Events the client knows that it is not registered for: run `vigil install` again. */
  readonly missing: readonly HookEvent[]
  /** Events whose hook is an earlier vigil's, which could not answer: run it again, too. */
  readonly mute: readonly string[]
  /** Set by the user: no hook of any kind runs. */
  readonly disabled: boolean
  /** Why the file cannot be read. */
  readonly problem?: string
}

export interface Inspection {
  /** The client's version that the hooks were chosen for; null when none was known. */
  readonly installedFor: string | null
  readonly places: readonly Inspected[]
}

/** What is in force of an install, for `vigil doctor`; writes nothing. */
export function inspectInstall(
  folders: Folders,
  configDirs: readonly string[],
  version?: string,
): Inspection {
  const note = readNote(folders)
  const { commands } = ownOf(folders, note)
  const dirs = new Set([...Object.keys(note.places), ...configDirs])
  const places = [...dirs].map((dir) => inspectOne(dir, commands, version))
  return { installedFor: note.client, places }
}

function inspectOne(
  configDir: string,
  commands: ReadonlySet<string>,
  version: string | undefined,
): Inspected {
  const settings = join(configDir, 'settings.json')
  const none = { events: [], missing: eventsFor(version), mute: [], disabled: false }
  const nothing = { configDir, settings, ...none }
  try {
    const { text } = readSettings(settings)
    if (text === undefined || isBlank(text)) return nothing
    const root = parseSettings(text, settings)
    const own = ownHooks(root, commands)
    const events = [...new Set(own.map(({ event }) => event))]
    const mute = own
      .filter(({ event, value }) => isMute(event, value, version))
      .map(({ event }) => event)
    const missing = eventsFor(version).filter((event) => !events.includes(event))
    const disabled = memberOf(root, 'disableAllHooks')?.value === true
    return { configDir, settings, events, missing, mute, disabled }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { ...nothing, problem: error.message }
  }
}
