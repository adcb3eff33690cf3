import type { Act } from '../../protocol/act.ts'
import type { PaneInput } from '../../protocol/pane.ts'
import type { ActRecorder } from '../requests/shapes.ts'
import { BURST_MS } from './limits.ts'
import type { By } from './shapes.ts'

interface Burst {
  readonly session: string
  readonly by: By
  count: number
  timer: NodeJS.Timeout | undefined
}

/**
 * SPEC PA9. Logs what is done to panes, before it is done. Of keys only their number: that typing
 * began at the first, the count after a pause.
 */
export class PaneActs {
  readonly #acts: Pick<ActRecorder, 'note'>
  readonly #bursts = new Map<string, Burst>()

  constructor(acts: Pick<ActRecorder, 'note'>) {
    this.#acts = acts
  }

  note(session: string, what: Act['what'], { who, where }: By, words: string): void {
    this.#settle(session)
    this.#acts.note({ session, what, who, where, words })
  }

  keys(session: string, typed: readonly PaneInput[], by: By): void {
    const known = this.#bursts.get(session)
    const isSame = known?.by.who === by.who && known.by.where === by.where
    if (!known || !isSame) this.note(session, 'keys', by, 'started typing')
    const burst: Burst = isSame && known ? known : { session, by, count: 0, timer: undefined }
    clearTimeout(burst.timer)
    burst.count += countOf(typed)
    burst.timer = setTimeout(() => this.#settle(session), BURST_MS)
    burst.timer.unref()
    this.#bursts.set(session, burst)
  }

  close(): void {
    for (const session of [...this.#bursts.keys()]) this.#settle(session)
  }

  #settle(session: string): void {
    const burst = this.#bursts.get(session)
    if (!burst) return
    clearTimeout(burst.timer)
    this.#bursts.delete(session)
    const { by, count } = burst
    const words = count === 1 ? '1 key' : `${count} keys`
    this.#acts.note({ session, what: 'keys', ...by, words })
  }
}

function countOf(typed: readonly PaneInput[]): number {
  const lengths = typed.map((one) => ('key' in one ? 1 : [...textOf(one)].length))
  return lengths.reduce((sum, length) => sum + length, 0)
}

function textOf(one: { readonly text: string } | { readonly paste: string }): string {
  return 'text' in one ? one.text : one.paste
}
