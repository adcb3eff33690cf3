import type { Env } from '../../agents/agent.ts'
import type { AttachedSurface, SurfaceContext } from '../../client/surface-context.ts'
import type { Settings } from '../../home/settings.ts'
import type { Session } from '../../protocol/session.ts'
import { callOf } from '../../view/board/news.ts'
import { askOf } from './ask.ts'
import { Calls, type Step } from './calls.ts'
import type { OnPressed } from './channels/desktop.ts'
import { channelOf } from './channels/make.ts'
import { FarCalls, isFar } from './far-calls.ts'
import { lookedAt } from './looking.ts'
import { Memory, overAtStart, type Remembered } from './memory.ts'
import { Policy } from './policy.ts'
import { localClock } from './quiet.ts'
import { NotifySender } from './sender.ts'
import { type NotifySettings, readNotify } from './settings.ts'

/** Changes handled in one turn of the event loop, so that a thousand at once do not block it. */
const SLICE = 100

/** Calls that arrive together are handled together. */
const TICK_MIN_MS = 50

/** A timer does not notice a sleep of the machine, so a longer wait is checked once a minute. */
const TICK_MAX_MS = 60_000

/** A call that began while no daemon ran is reported unless it is older than this. */
const FRESH_MS = 600_000

/** Runs in the daemon: changes in, notifications out. */
export class Notifications implements AttachedSurface {
  readonly #context: SurfaceContext
  readonly #env: Env
  readonly #calls = new Calls()
  readonly #far: FarCalls
  readonly #memory: Memory
  readonly #remembered: Map<string, Remembered>
  readonly #courier: NotifySender
  readonly #policy: Policy
  readonly #stops: (() => void)[] = []
  #settings: NotifySettings
  #page: string | undefined
  /** Sessions of other machines call the user here, too. */
  #isFarWanted = true
  #lastId: number
  #timer: NodeJS.Timeout | undefined
  #tickedAt = 0
  #isDraining = false
  #isTicking = false
  #isClosed = false

  constructor(context: SurfaceContext, env: Env) {
    this.#context = context
    this.#env = env
    this.#memory = new Memory(context.folders)
    this.#remembered = new Map(this.#memory.read())
    const { settings, close } = this.#followSettings()
    this.#settings = settings
    this.#policy = new Policy(settings, localClock)
    this.#courier = new NotifySender({
      make: (channel) => channelOf(channel, { env, now: Date.now, onPressed: this.#onPressed }),
      onTrouble: (channel, what) => context.trouble(`notify ${channel}`, what),
      now: Date.now,
      mayLeave: () => context.policy.allows('channels'),
      page: () => (context.policy.allows('sharing') ? this.#page : undefined),
      ask: (session) => askOf(context.requests.list({ session })),
    })
    this.#courier.use(settings.on ? settings.channels : [])
    const { seq, sessions } = context.sessions()
    this.#lastId = seq
    this.#far = this.#farCalls()
    this.#takeUp(sessions.filter(({ own }) => own))
    this.#far.begin()
    this.#stops.push(
      close,
      () => this.#far.close(),
      context.changes.onChange(() => this.#drainSoon()),
    )
    this.#drainSoon()
    this.#arm()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const stop of this.#stops) stop()
    this.#courier.close()
    this.#save()
  }

  #followSettings() {
    const { settings, trouble } = this.#context
    const read = ({ notify, share, fleet }: Settings) => {
      const { settings: own, faults } = readNotify(notify)
      this.#page = share.origins[0]
      this.#isFarWanted = fleet.notify
      trouble('notify settings', faults.length > 0 ? faults.join('; ') : undefined)
      return own
    }
    const close = settings.follow((changed) => this.#use(read(changed)))
    return { settings: read(settings.now), close }
  }

  /** Calls from before notifications were turned on are not reported. */
  #use(settings: NotifySettings): void {
    if (this.#isClosed) return
    this.#settings = settings
    if (!settings.on) for (const id of this.#remembered.keys()) this.#policy.end(id)
    if (!this.#isFarWanted)
      for (const id of [...this.#remembered.keys()].filter(isFar))
        this.#step({ do: 'end', session: id })
    this.#policy.settings = settings
    this.#courier.use(settings.on ? settings.channels : [])
    this.#arm()
  }

  /** SPEC AN29. A request that is over is not answered, and its notification is retracted. */
  readonly #onPressed: OnPressed = async ({ request, shown }, choice) => {
    const { complain, requests } = this.#context
    try {
      const answer = { choice, shown, where: 'notification' as const }
      await requests.answer(request, answer, 'the user, on the desktop')
    } catch (error) {
      complain('an answer from a notification button failed', { why: (error as Error).message })
    }
  }

  #takeUp(sessions: readonly Session[]): void {
    const calling = new Set<string>()
    for (const session of sessions) {
      this.#calls.know(session)
      if (!session.unread) continue
      calling.add(session.id)
      this.#goOn(session, Date.now() - FRESH_MS)
    }
    for (const id of overAtStart(this.#remembered, calling, Date.now())) this.#remembered.delete(id)
  }

  /** The call of a session that has just become known. */
  #goOn(session: Session, freshAfter: number): void {
    const known = this.#remembered.get(session.id)
    if (known?.call === callOf(session)) this.#policy.call(session, known.at, known.told)
    else if (this.#settings.on && session.since > freshAfter) this.#call(session, Date.now())
  }

  #farCalls(): FarCalls {
    return new FarCalls({
      feed: this.#context.remote,
      calls: this.#calls,
      onKnown: (session, isBack) => {
        if (!session.unread || !this.#isFarWanted) this.#remembered.delete(session.id)
        // Its call ended here when its machine was lost, however long it has stood.
        else this.#goOn(session, isBack ? 0 : Date.now() - FRESH_MS)
        this.#arm()
      },
      onStep: (step) => {
        this.#step(step)
        this.#arm()
      },
    })
  }

  #drainSoon(): void {
    if (this.#isDraining || this.#isClosed) return
    this.#isDraining = true
    setImmediate(() => this.#drain())
  }

  #drain(): void {
    this.#isDraining = false
    if (this.#isClosed) return
    const changes = this.#context.changes.after(this.#lastId, SLICE)
    for (const change of changes) {
      this.#lastId = change.id
      for (const step of this.#calls.take(change)) this.#step(step)
    }
    if (changes.length > 0) this.#drainSoon()
    this.#arm()
  }

  #step(step: Step): void {
    if (step.do === 'rename') {
      const session = this.#context.session(step.to)
      if (!session) {
        this.#step({ do: 'end', session: step.from })
        return
      }
      this.#policy.rename(step.from, session)
      const known = this.#remembered.get(step.from)
      this.#remembered.delete(step.from)
      if (known) this.#remembered.set(step.to, { ...known, call: callOf(session) })
      return
    }
    if (step.do === 'end') {
      this.#remembered.delete(step.session)
      this.#courier.carry(this.#policy.end(step.session))
      return
    }
    const session = this.#settings.on ? this.#sessionOf(step.session) : undefined
    if (session?.unread) this.#call(session, Date.now())
  }

  #sessionOf(id: string): Session | undefined {
    if (!isFar(id)) return this.#context.session(id)
    return this.#isFarWanted ? this.#far.get(id) : undefined
  }

  #call(session: Session, at: number): void {
    this.#policy.call(session, at)
    this.#remembered.set(session.id, { call: callOf(session), at, told: [] })
  }

  /** Never later than before: a stream of changes must not delay what is due. */
  #arm(): void {
    clearTimeout(this.#timer)
    if (this.#isClosed || this.#isTicking) return
    const now = Date.now()
    const at = this.#policy.nextAt(now)
    if (at === undefined) return
    const dueAt = Math.max(at, this.#tickedAt + TICK_MIN_MS)
    const waitMs = Math.min(TICK_MAX_MS, Math.max(0, dueAt - now))
    this.#timer = setTimeout(() => void this.#tick(), waitMs)
    this.#timer.unref()
  }

  async #tick(): Promise<void> {
    this.#isTicking = true
    this.#tickedAt = Date.now()
    const due = this.#policy.due(this.#tickedAt)
    const looked = await lookedAt(due, this.#tickedAt, this.#env).catch(() => undefined)
    this.#isTicking = false
    if (this.#isClosed) return
    const orders = this.#policy.tick(Date.now(), looked)
    this.#courier.carry(orders)
    if (orders.length > 0) this.#save()
    this.#arm()
  }

  /** Saved right after sending, so that a killed daemon does not repeat a message. */
  #save(): void {
    for (const [id, known] of this.#remembered) {
      const told = this.#policy.toldOf(id)
      if (told) this.#remembered.set(id, { ...known, told: [...told] })
    }
    const fault = this.#memory.write(this.#remembered)
    if (fault !== undefined)
      this.#context.complain('the list of sent notifications could not be written', { fault })
  }
}
