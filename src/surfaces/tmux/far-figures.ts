import type { RemoteFeed } from '../../client/surface-context.ts'
import type { Session } from '../../protocol/session.ts'

/** Rows of a large fleet arrive a thousand a second, and tmux draws its bar once a second. */
const FIGURES_MS = 1_000

/** SPEC FL94. Sessions of other machines, for figures alone. */
export class FarFigures {
  readonly #feed: RemoteFeed | undefined
  readonly #stop: (() => void) | undefined
  #soon: NodeJS.Timeout | undefined

  constructor(feed: RemoteFeed | undefined, onChange: () => void) {
    this.#feed = feed
    this.#stop = feed?.onRow(() => {
      this.#soon ??= setTimeout(() => {
        this.#soon = undefined
        onChange()
      }, FIGURES_MS).unref()
    })
  }

  rows(): readonly Session[] {
    return this.#feed?.rows() ?? []
  }

  close(): void {
    clearTimeout(this.#soon)
    this.#stop?.()
  }
}
