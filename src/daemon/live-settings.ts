import type { Folders } from '../home/folders.ts'
import { type Settings, type SettingsWatch, watchSettings } from '../home/settings.ts'
import { Listeners } from './listeners.ts'

/** The settings as they go: read and watched once, for all who follow them. */
export class LiveSettings {
  readonly #news = new Listeners<Settings>()
  readonly #watch: SettingsWatch

  constructor(folders: Pick<Folders, 'config'>, onTrouble: (what: string | undefined) => void) {
    this.#watch = watchSettings(folders, (settings) => this.#news.tell(settings), onTrouble)
  }

  get now(): Settings {
    return this.#watch.settings
  }

  /** Told of each change, until it has had enough. */
  follow(listener: (settings: Settings) => void): () => void {
    return this.#news.add(listener)
  }

  close(): void {
    this.#watch.close()
  }
}
