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

/** What to change: objects are gone into, lists are taken whole, `null` takes a key out. */
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

/** SPEC VW16. What its user has set, and defaults for the rest. Throws a `SettingsError`. */
export function readSettings(folders: In): Settings {
  const file = settingsFileOf(folders)
  return settingsIn(textOf(file), file)
}

/**
 * SPEC VW18. Writes what the change gives, computed from what is in force; all or nothing. A file
 * that is broken, or would be, is left as it is.
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
  throw new SettingsError(`${file}: somebody else writes it again and again`)
}

/** Two who write at once need two; who loses ten times has met a program that never stops. */
const TRIES_MAX = 10

export interface SettingsWatch {
  /** What is in force: the last that could be read; defaults before the first. */
  readonly settings: Settings
  close(): void
}

/**
 * SPEC VW19. Follows the file while the daemon runs. `onTrouble` is told why it cannot be read, and
 * that it can again; what was in force stays so meanwhile.
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

  /** Beside its folder that of the file it links to, if it is a link. */
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
      // Watched first: what is written between the two is told.
      this.#watch()
      const settings = this.#read()
      if (!settings) return
      this.#settings = settings
      this.#onChange(settings)
    }, SETTLE_MS)
  }

  /** What it says, if that is something else than before. */
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

/** No file is an empty one. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return ''
    throw new SettingsError(`${file}: cannot be read (${code})`)
  }
}

/** Its user's alone: it may hold addresses and tokens. False if somebody wrote it meanwhile. */
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
