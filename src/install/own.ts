import { join } from 'node:path'
import { BLOCK_CAP, pluginEntries } from '../agents/claude/entries.ts'
import { commandsOf } from '../agents/claude/events.ts'
import type { Folders } from '../home/folders.ts'
import { stripEntries } from './entries.ts'
import { stripHooks } from './hooks.ts'
import type { Note, Place } from './note.ts'
import { unwrapStatusline } from './statusline.ts'

/** What in a settings file is vigil's. */
export interface Own {
  readonly hook: string
  readonly statusline: string
  /** The folder of the plugin's copy. */
  readonly plugin: string
  /** As they may stand in a file: for a shell or for none, of earlier installs too. */
  readonly commands: ReadonlySet<string>
}

export function ownOf({ data, hooks }: Folders, note: Note): Own {
  const hook = join(hooks, 'vigil-hook')
  const paths = [hook, ...note.hooks]
  return {
    hook,
    statusline: join(hooks, 'vigil-statusline'),
    plugin: join(data, 'plugin'),
    commands: new Set(paths.flatMap(commandsOf)),
  }
}

/**
 * SPEC I7. The settings as they are without vigil: the bytes from before while the file is just
 * what install wrote, and what is left without vigil's entries once somebody has edited it.
 */
export function withoutVigil(
  text: string | undefined,
  place: Place | undefined,
  own: Own,
  name: string,
): string | undefined {
  const before = place?.before ?? undefined
  if (place && text === place.after) return before
  if (text === undefined || isBlank(text)) return text
  const hollow = place?.hollow ?? {}
  const unwrapped = unwrapStatusline({ text, hollow }, own.statusline, place?.wrapped, name)
  const stripped = stripHooks(unwrapped, own.commands, hollow, name)
  // The note is lost: what stands beside vigil's hooks as vigil would put it is vigil's.
  const entries = stripped === text ? [] : [BLOCK_CAP, ...pluginEntries(own.plugin)]
  const rest = stripEntries(stripped, place ? (place.entries ?? []) : entries, hollow, name)
  // Install begins a file that is not there, or holds nothing, with a pair of brackets.
  const begun = place && rest !== text && (before === undefined || isBlank(before))
  return begun && isBare(rest) ? before : rest
}

export function isBlank(text: string): boolean {
  return text.replace(/^\uFEFF/, '').trim() === ''
}

/** Nothing but the brackets. */
function isBare(text: string): boolean {
  return /^\s*\{\s*\}\s*$/.test(text)
}
