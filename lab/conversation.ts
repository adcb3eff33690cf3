import type { Place } from './drive/place.ts'
import type { Run } from './drive/run.ts'
import type { Script } from './model/script.ts'

/** What a run is called and chosen by, whatever its agent. */
export interface Titled {
  /** Also the name of its recording. */
  readonly name: string
  /** One sentence. */
  readonly shows: string
  /** The first client that has what this shows; older ones skip it. */
  readonly since?: string
  /** Why it takes far longer than others: it runs only when named, or with `--all`. */
  readonly long?: string
}

/** A scripted conversation: what the model says, what the user does, and what it shows. */
export interface Conversation extends Titled {
  readonly model?: (talk: Script, place: Place) => Script
  readonly user: (run: Run) => Promise<void>
  /** The client's arguments. */
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Files that exist before the client starts. */
  readonly prepare?: (place: Place) => void
  /** The user's settings, beside those that record. */
  readonly settings?: (place: Place) => Settings
  /** False: the client asks whether the folder is trusted. */
  readonly trusted?: false
}

export interface Settings {
  readonly hooks?: Readonly<Record<string, readonly object[]>>
  readonly [name: string]: unknown
}
