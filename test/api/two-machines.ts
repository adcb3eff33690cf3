import { Readable } from 'node:stream'
import type { MemberCaller } from '../../src/daemon/api/admit.ts'
import { createApp } from '../../src/daemon/api/app.ts'
import type { ForwardedRequest } from '../../src/daemon/api/elsewhere.ts'
import type { ApiResponse } from '../../src/daemon/api/route.ts'
import type { Right } from '../../src/protocol/constants.ts'
import { OTHER_MACHINE } from '../support/machines.ts'
import { noFleet } from '../support/no-fleet.ts'
import { SOCKET, testApi } from './ask.ts'
import { seenFleet } from './support.ts'

/** How far the other machine's clock is ahead. */
export const AHEAD_MS = 3_600_000

/** The APIs of two machines of a fleet, without a network between them. */
export class TwoMachines {
  readonly here: ReturnType<typeof testApi>
  readonly there = seenFleet()
  readonly asked: ForwardedRequest[] = []
  /** What the other machine lets this one do. */
  right: Right = 'type'
  /** What becomes of a reply on its way. */
  change: (reply: ApiResponse) => ApiResponse = (reply) => reply

  constructor() {
    const { there, asked } = this
    Object.assign(there, { machine: OTHER_MACHINE })
    const app = createApp(there, SOCKET, { now: () => there.now })
    const own = seenFleet()
    own.fleet = {
      ...noFleet(),
      rows: () => there.sessions({ all: false }).sessions,
      knows: (machine) => machine === OTHER_MACHINE,
      aheadMs: () => AHEAD_MS,
      forward: async (request) => {
        asked.push(request)
        return this.change(await app(requestOf(request), memberWith(this.right)))
      },
    }
    this.here = testApi(own, {}, SOCKET)
  }

  /** The session `one` of the other machine asks for a permission; returns when it began to. */
  asks(): number {
    const { there } = this
    there.asking.hooks.waiting.set('hook.77', () => {})
    const tool = { tool_name: 'Bash', tool_input: { command: 'id' } }
    const payload = { session_id: 'one', cwd: '/p', ...tool }
    const at = there.now + 1
    const ask = { ...payload, hook_event_name: 'PermissionRequest' }
    there.play([hookOf(at, { ...payload, hook_event_name: 'PreToolUse', tool_use_id: 't' })])
    there.spooled(hookOf(at + 1, ask), 'hook.77')
    return at
  }

  get idThere(): string {
    return this.there.sessions({ all: false }).sessions[0]?.id ?? ''
  }
}

export function memberWith(allowed: Right): MemberCaller {
  return { kind: 'member', machine: `m${'c3'.repeat(12)}`, name: 'laptop', right: allowed }
}

export function requestOf({
  method,
  target,
  body,
}: Pick<ForwardedRequest, 'method' | 'target' | 'body'>) {
  const bytes = Buffer.from(body === undefined ? '' : JSON.stringify(body))
  return { method, target, headers: {}, body: Readable.from([bytes]) }
}

export const addressOf = (id: string) => encodeURIComponent(`${OTHER_MACHINE}/${id}`)

function hookOf(t: number, payload: object) {
  return { t, source: 'hook' as const, payload, env: { claudePid: 9, asks: 1 } }
}
