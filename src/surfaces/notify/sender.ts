import type { Session } from '../../protocol/session.ts'
import type { AnswerButtons } from './ask.ts'
import type { Channel } from './channel.ts'
import { ChannelQueue } from './channel-queue.ts'
import { messageOf } from './message.ts'
import type { Order } from './policy.ts'
import type { ChannelSettings } from './settings.ts'

/** Channels whose messages stay on the machine. */
const LOCAL: readonly ChannelSettings['kind'][] = ['desktop', 'terminal', 'sound']

/** Whether its messages leave the machine. */
export function leavesMachine(kind: ChannelSettings['kind']): boolean {
  return !LOCAL.includes(kind)
}

function hidesSecrets({ kind, secrets }: Pick<ChannelSettings, 'kind' | 'secrets'>) {
  return { hideSecrets: !secrets && leavesMachine(kind) }
}

export interface NotifySenderOptions {
  readonly make: (settings: ChannelSettings) => Channel
  readonly onTrouble: (channel: string, what: string | undefined) => void
  readonly now: () => number
  /** Whether the administrator's policy lets messages leave the machine. */
  readonly mayLeave: () => boolean
  /** The address of the page on other devices. */
  readonly page?: () => string | undefined
  /** The request of this session that a button could answer. */
  readonly ask?: (session: string) => AnswerButtons | null
  readonly cutOffMs?: number
  readonly waitsMs?: readonly number[]
}

interface Route {
  readonly settings: ChannelSettings
  readonly lane: ChannelQueue
}

/** Carries out the policy's orders, each channel in a queue of its own. */
export class NotifySender {
  readonly #options: NotifySenderOptions
  #routes = new Map<string, Route>()

  constructor(options: NotifySenderOptions) {
    this.#options = options
  }

  /** A channel with unchanged settings keeps its queue. */
  use(channels: readonly ChannelSettings[]): void {
    const before = this.#routes
    this.#routes = new Map(
      channels.map((settings) => {
        const known = before.get(settings.name)
        const isSame = known && JSON.stringify(known.settings) === JSON.stringify(settings)
        return [settings.name, isSame ? known : this.#routeTo(settings)]
      }),
    )
    for (const [name, route] of before) {
      if (this.#routes.get(name) === route) continue
      route.lane.close()
      this.#options.onTrouble(name, undefined)
    }
  }

  carry(orders: readonly Order[]): void {
    for (const order of orders) {
      const route = this.#routes.get(order.channel)
      if (!route) continue
      // SPEC WD23. Checked for each message, because a channel may be older than the policy.
      if (leavesMachine(route.settings.kind) && !this.#options.mayLeave()) continue
      if (order.do === 'withdraw') route.lane.withdraw(order.id)
      else {
        const leaving = hidesSecrets(route.settings)
        const { now, page } = this.#options
        const way = { page: page?.(), ask: this.#askOf(route.settings, order.sessions) }
        route.lane.send(messageOf(order.id, now(), order.sessions, leaving, way))
      }
    }
  }

  close(): void {
    for (const { lane } of this.#routes.values()) lane.close()
  }

  #askOf({ kind }: ChannelSettings, [first, second]: readonly Session[]): AnswerButtons | null {
    if (kind !== 'desktop' || !first || second) return null
    return this.#options.ask?.(first.id) ?? null
  }

  #routeTo(settings: ChannelSettings): Route {
    const { make, onTrouble, cutOffMs, waitsMs } = this.#options
    const lane = new ChannelQueue({
      channel: make(settings),
      onTrouble: (what) => onTrouble(settings.name, what),
      ...(cutOffMs !== undefined && { cutOffMs }),
      ...(waitsMs !== undefined && { waitsMs }),
    })
    return { settings, lane }
  }
}
