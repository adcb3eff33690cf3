import { shellWord } from '../../core/shell-word.ts'
import type { AdminPolicy } from '../../home/policy.ts'
import type { TypingView } from '../../protocol/pane.ts'
import type { Session } from '../../protocol/session.ts'
import type { By } from './shapes.ts'

interface On {
  readonly since: number
  readonly by: string
  /** The process it was turned on for. */
  readonly pid: number | null
}

/** SPEC PA8. The sessions that may be typed into. Only in memory: they end with the daemon. */
export class Switches {
  readonly #on = new Map<string, On>()

  view(session: string): TypingView {
    const on = this.#on.get(session)
    return { session, on: on !== undefined, since: on?.since ?? null, by: on?.by ?? null }
  }

  has(session: string): boolean {
    return this.#on.has(session)
  }

  turnOn({ id, pid }: Session, { who }: By, now: number): void {
    this.#on.set(id, { since: now, by: who, pid })
  }

  turnOff(session: string): boolean {
    return this.#on.delete(session)
  }

  /** Those among them for which typing is over, each with its present row. */
  ended(ids: Iterable<string>, look: (id: string) => Session | undefined): readonly string[] {
    return [...ids].filter((id) => {
      const on = this.#on.get(id)
      const session = on && look(id)
      return on && (!session || session.state === 'closed' || session.pid !== on.pid)
    })
  }

  get ids(): readonly string[] {
    return [...this.#on.keys()]
  }
}

/** Why a session cannot be typed into; names the command that allows it. */
export function whyNoTyping(
  { id, tmuxPane }: Session,
  policy: Pick<AdminPolicy, 'whyNot'>,
  allows: (id: string) => boolean,
  needsNoPane: (id: string) => boolean = () => false,
): string | undefined {
  const forbidden = policy.whyNot('typing')
  if (forbidden !== undefined) return forbidden
  if (tmuxPane === null && !needsNoPane(id)) return 'the session is not in tmux'
  return allows(id) ? undefined : whyOff(id)
}

/** SPEC PA22. With the command that allows it. */
export function whyOff(id: string): string {
  return `typing is off; turn it on with \`vigil typing ${shellWord(id.slice(0, 8))} on\``
}
