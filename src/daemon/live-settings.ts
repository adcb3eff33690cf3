import type { Folders } from '../home/folders.ts'
import { type Settings, type SettingsWatch, watchSettings } from '../home/settings.ts'
import { Listeners } from './listeners.ts'

/** The current settings: read and watched once, for all followers. */
export class LiveSettings {
  readonly #news = new Listeners<Settings>()
  readonly #watch: SettingsWatch

  constructor(folders: Pick<Folders, 'config'>, onTrouble: (what: string | undefined) => void) {
    this.#watch = watchSettings(folders, (settings) => this.#news.emit(settings), onTrouble)
  }

  get now(): Settings {
    return this.#watch.settings
  }

  /** Called with each change; returns how to unsubscribe. */
  follow(listener: (settings: Settings) => void): () => void {
    return this.#news.add(listener)
  }

  close(): void {
    this.#watch.close()
  }
}
