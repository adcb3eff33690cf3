import type { SurfaceContext } from '../../client/surface-context.ts'
import type { Session } from '../../protocol/session.ts'

/** More changes at once are read page by page. */
const PAGE = 500

/** Open sessions of this machine, updated one by one: a list of all costs more. */
export class Mirror {
  readonly #context: Pick<
    SurfaceContext,
    'machine' | 'sessions' | 'session' | 'changes' | 'onTouched'
  >
  readonly #onChange: () => void
  readonly #sessions = new Map<string, Session>()
  readonly #stops: (() => void)[]
  readonly #touched = new Set<string>()
  #seq: number
  #soon: NodeJS.Immediate | undefined

  constructor(
    context: Pick<SurfaceContext, 'machine' | 'sessions' | 'session' | 'changes' | 'onTouched'>,
    onChange: () => void,
  ) {
    this.#context = context
    this.#onChange = onChange
    const { seq, sessions } = context.sessions()
    this.#seq = seq
    for (const session of sessions) this.#put(session)
    this.#stops = [
      context.onTouched((ids) => {
        for (const id of ids) this.#touched.add(id)
        this.#later()
      }),
      context.changes.onChange(() => this.#later()),
    ]
  }

  all(): readonly Session[] {
    return [...this.#sessions.values()]
  }

  get(id: string): Session | undefined {
    return this.#sessions.get(id)
  }

  close(): void {
    clearImmediate(this.#soon)
    for (const stop of this.#stops) stop()
  }

  /** After the commit that triggered it, and once for all its changes. */
  #later(): void {
    this.#soon ??= setImmediate(() => {
      this.#soon = undefined
      this.#read()
      this.#onChange()
    })
  }

  #read(): void {
    for (const id of this.#touched) this.#refresh(id)
    this.#touched.clear()
    for (;;) {
      const changes = this.#context.changes.after(this.#seq, PAGE)
      for (const { id, session } of changes) {
        this.#seq = id
        this.#refresh(session)
      }
      if (changes.length < PAGE) return
    }
  }

  #refresh(id: string): void {
    const session = this.#context.session(id)
    if (session) this.#put(session)
    else this.#sessions.delete(id)
  }

  #put(session: Session): void {
    const isOpen = session.state !== 'closed' && session.live
    if (isOpen && session.machine === this.#context.machine) this.#sessions.set(session.id, session)
    else this.#sessions.delete(session.id)
  }
}
