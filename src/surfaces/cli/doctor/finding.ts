import type { Client } from '../../../client/client.ts'
import type { Folders } from '../../../home/folders.ts'
import type { Health } from '../../../protocol/daemon.ts'

export type Level = 'ok' | 'warning' | 'problem'

/** One thing that was looked at: how it is, and what to do about it. */
export interface Finding {
  readonly about: string
  readonly level: Level
  readonly what: string
  readonly todo?: string
  /** What belongs to it, a line each. */
  readonly notes?: readonly string[]
  /** The same in figures, for scripts. */
  readonly figures?: Readonly<Record<string, unknown>>
}

type More = Pick<Finding, 'figures' | 'notes'>

export function ok(about: string, what: string, more: More = {}): Finding {
  return { about, level: 'ok', what, ...more }
}

export function warning(about: string, what: string, todo: string, more: More = {}): Finding {
  return { about, level: 'warning', what, todo, ...more }
}

export function problem(about: string, what: string, todo: string, more: More = {}): Finding {
  return { about, level: 'problem', what, todo, ...more }
}

/** What the checks look at. */
export interface Patient {
  readonly folders: Folders
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The daemon and how it says it is; none where none could be started. */
  readonly daemon: { readonly client: Client; readonly health: Health } | undefined
  /** Why there is none. */
  readonly absence: string | undefined
  /** The agent's version, where it is installed. */
  readonly version: string | undefined
  readonly configFolders: readonly string[]
  /** Where the machine's administrator puts settings for all. */
  readonly managed: readonly string[]
}
