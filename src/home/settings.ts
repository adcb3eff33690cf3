import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type FolderEvents, watchFolder } from '../platform/folder-events.ts'
import { type Folders, privateFolder } from './folders.ts'
import { realPath } from './plain-file.ts'
import type { Settings } from './settings-schema.ts'
import { changedText, SettingsError, settingsIn } from './settings-text.ts'

export type { Settings } from './settings-schema.ts'

/** A change: objects are merged, lists are replaced, `null` removes a key. */
export type SettingsPatch = PatchOf<Settings>

type PatchOf<T> = {
  readonly [K in keyof T]?: T[K] extends readonly unknown[]
    ? T[K] | null
    : T[K] extends object
      ? PatchOf<T[K]> | null
      : T[K] | null
}

type In = Pick<Folders, 'config'>

export function settingsFileOf({ config }: In): string {
  return join(config, 'settings.json')
}

/** SPEC VW16. The user's settings, with defaults for the rest. Throws a `SettingsError`. */
export function readSettings(folders: In): Settings {
  const file = settingsFileOf(folders)
  return settingsIn(textOf(file), file)
}

/**
 * SPEC VW18. Writes a change computed from the settings in force; all or nothing. A file that is
 * broken, or would become so, is left unchanged.
 */
export function writeSettings(
  folders: In,
  change: SettingsPatch | ((now: Settings) => SettingsPatch),
): Settings {
  const file = settingsFileOf(folders)
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const before = textOf(file)
    const now = settingsIn(before, file)
    const after = changedText(before, typeof change === 'function' ? change(now) : change)
    const changed = settingsIn(after, file)
    if (after === before) return changed
    privateFolder(folders.config)
    if (replace(file, before, after)) return changed
  }
  throw new SettingsError(`${file}: another program keeps changing it; try again`)
}

/** Two simultaneous writers need two; ten failures mean a program that writes all the time. */
const TRIES_MAX = 10

export interface SettingsWatch {
  /** The settings in force: the last readable ones; defaults before the first. */
  readonly settings: Settings
  close(): void
}

/**
 * SPEC VW19. Follows the file while the daemon runs. Calls `onTrouble` when it cannot be read, and
 * when it can again; the settings in force stay meanwhile.
 */
export function watchSettings(
  folders: In,
  onChange: (settings: Settings) => void,
  onTrouble: (what: string | undefined) => void = () => {},
): SettingsWatch {
  return new Following(folders, onChange, onTrouble)
}

/** An editor writes in several steps; a reader in between would find half a file. */
const SETTLE_MS = 30

class Following implements SettingsWatch {
  readonly #file: string
  readonly #onChange: (settings: Settings) => void
  readonly #onTrouble: (what: string | undefined) => void
  #settings: Settings
  #text: string | undefined
  #watchers: FolderEvents[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(
    folders: In,
    onChange: (settings: Settings) => void,
    onTrouble: (what: string | undefined) => void,
  ) {
    this.#file = settingsFileOf(folders)
    this.#onChange = onChange
    this.#onTrouble = onTrouble
    this.#settings = settingsIn('', this.#file)
    this.#watch()
    this.#settings = this.#read() ?? this.#settings
  }

  get settings(): Settings {
    return this.#settings
  }

  close(): void {
    clearTimeout(this.#timer)
    for (const watcher of this.#watchers) watcher.close()
  }

  /** Its folder, and that of the file it links to, if it is a link. */
  #watch(): void {
    for (const watcher of this.#watchers) watcher.close()
    const folders = new Set([dirname(this.#file), dirname(realPath(this.#file))])
    this.#watchers = [...folders].flatMap((folder) => {
      try {
        if (!existsSync(folder)) privateFolder(folder)
        const onLost = () => this.#soon()
        return [watchFolder(folder, { onEvent: onLost, onLost })]
      } catch (error) {
        this.#onTrouble(`${folder}: cannot be watched (${(error as NodeJS.ErrnoException).code})`)
        return []
      }
    })
  }

  #soon(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      // The watch comes first: a write between the two causes an event.
      this.#watch()
      const settings = this.#read()
      if (!settings) return
      this.#settings = settings
      this.#onChange(settings)
    }, SETTLE_MS)
  }

  /** The settings, if they changed. */
  #read(): Settings | undefined {
    const before = this.#text
    try {
      this.#text = undefined
      this.#text = textOf(this.#file)
      if (this.#text === before) return undefined
      const settings = settingsIn(this.#text, this.#file)
      this.#onTrouble(undefined)
      return settings
    } catch (error) {
      this.#onTrouble((error as Error).message)
      return undefined
    }
  }
}

/** A missing file is an empty one. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return ''
    throw new SettingsError(`${file}: cannot be read (${code})`)
  }
}

/** Private: it may hold addresses and tokens. False if another program wrote it meanwhile. */
function replace(file: string, before: string, after: string): boolean {
  const real = realPath(file)
  const draft = `${real}.${process.pid}.draft`
  try {
    rmSync(draft, { force: true })
    const handle = openSync(draft, 'wx', 0o600)
    writeFileSync(handle, after)
    fsyncSync(handle)
    closeSync(handle)
    if (textOf(file) !== before) return false
    renameSync(draft, real)
    return true
  } finally {
    rmSync(draft, { force: true })
  }
}
