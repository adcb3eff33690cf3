import type { Titled } from '../conversation.ts'
import type { Place } from '../drive/place.ts'
import type { Script } from '../model/script.ts'
import type { OwnHook } from './drive/hooks.ts'
import type { CodexRun } from './drive/run.ts'

/** A scripted conversation with Codex. */
export interface CodexConversation extends Titled {
  readonly model?: (talk: Script, place: Place) => Script
  readonly user: (run: CodexRun) => Promise<void>
  /** The client's arguments. */
  readonly args?: readonly string[]
  /** Files that exist before the client starts. */
  readonly prepare?: (place: Place) => void
  /** Lines of config.toml before its first table. */
  readonly config?: readonly string[]
  /** Tables of config.toml. */
  readonly tables?: (place: Place) => readonly string[]
  /** The user's own hooks. */
  readonly hooks?: Readonly<Record<string, OwnHook>>
  /** False: the client asks whether the folder is trusted. */
  readonly trusted?: false
  /** False: the client asks whether the recorder's hooks are trusted. */
  readonly hooksTrusted?: false
  /** False: there are no hooks of the recorder at first; `run.installHooks` writes them. */
  readonly hooked?: false
  /** False: the daemon's package is not there, as before the first start. */
  readonly packaged?: false
  /** Gives its default model where none is named. */
  readonly modelName?: string
}
