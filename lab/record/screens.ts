import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import type { Tmux } from '../drive/tmux.ts'
import { keptOfScreen } from './keep.ts'

/** What every open terminal shows, after each change. */
export class Screens {
  readonly #tmux: Tmux
  readonly #kept: (text: string) => string
  readonly #seen = new Map<string, string>()

  constructor(tmux: Tmux, kept = keptOfScreen) {
    this.#tmux = tmux
    this.#kept = kept
  }

  async look(): Promise<RecordedLine[]> {
    const listed = await this.#tmux.run('list-panes', '-a', '-F', '#{pane_id}').catch(() => '')
    const lines: RecordedLine[] = []
    for (const pane of listed.split('\n').filter((id) => id !== '')) {
      // The pane may have been closed since.
      const shown = await this.#tmux.run('capture-pane', '-p', '-t', pane).catch(() => undefined)
      if (shown === undefined || this.#seen.get(pane) === shown) continue
      this.#seen.set(pane, shown)
      lines.push({
        t: Date.now(),
        source: 'screen',
        pane,
        text: this.#kept(shown.replace(/\n+$/, '\n')),
      })
    }
    return lines
  }
}
