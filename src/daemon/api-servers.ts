import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { endHolder, holderOf, newHoldId, startHolder } from '../client/holder.ts'
import type { AdminPolicy } from '../home/policy.ts'
import type { Complain } from '../sources/arrival.ts'
import type { MemberCaller } from './api/admit.ts'
import { createApp } from './api/app.ts'
import { addressAt, unixEndpoint } from './api/endpoint.ts'
import { Subscribers } from './api/event-stream.ts'
import { Gate } from './api/gate.ts'
import { Page } from './api/page.ts'
import type { ApiRequest, ApiResponse } from './api/route.ts'
import { type Listening, listen } from './api/server.ts'
import { clearSocket } from './api/socket-file.ts'
import { newToken } from './api/token.ts'
import { Browsers } from './browsers/browsers.ts'
import { CodeFiles } from './browsers/code-files.ts'
import { OpenResponses } from './browsers/open-responses.ts'
import { Shared } from './browsers/shared.ts'
import { Tunnels } from './browsers/tunnels.ts'
import type { DaemonOptions } from './daemon.ts'
import type { LiveSettings } from './live-settings.ts'
import type { LocalDaemonApi } from './local-daemon-api.ts'
import { type Bound, holdOf } from './origin/hold.ts'

interface DoorParts {
  readonly settings: LiveSettings
  readonly complain: Complain
  readonly policy: AdminPolicy
}

export interface ApiServers {
  readonly port: number
  /** The API for other machines of the fleet, which call it over the fleet's server. */
  readonly memberApp: (request: ApiRequest, member: MemberCaller) => Promise<ApiResponse>
  close(): Promise<void>
}

/** The endpoints and their access: the socket, the port, browsers that signed in. */
export async function startServers(
  api: LocalDaemonApi,
  options: DaemonOptions,
  { settings, complain, policy }: DoorParts,
): Promise<ApiServers> {
  const { folders, sockets, port: wanted = 0 } = options
  // If another daemon answers, this one ends and must not have replaced the other's token.
  await clearSocket(folders.socket)
  const gate = new Gate(complain)
  const subscribers = new Subscribers()
  const page = Page.read()
  const responses = new OpenResponses()
  const codeFiles = new CodeFiles(folders.run)
  const { browsers, originOf, leave } = signingIn(api, options, complain)
  browsers.onGone((id) =>
    responses.cut(({ caller }) => caller.kind === 'browser' && caller.id === id),
  )
  const shared = new Shared(settings, policy, () => {
    const hosts = origins().map((origin) => addressAt(origin).host)
    responses.cut(({ host }) => !hosts.includes(host))
  })
  const tunnels = new Tunnels({
    folder: dirname(folders.socket),
    policy,
    browsers,
    listen: (path, addresses) => listening.listenAt(path, addresses),
  })
  const own = () => (browsers.hold ? [browsers.hold.origin] : [])
  const beside = () => shared.addresses().flatMap(({ origin }) => origin ?? [])
  const origins = () => [...own(), ...beside(), ...tunnels.origins()]
  const parts = {
    complain,
    gate,
    subscribers,
    browsers,
    responses,
    page,
    origins,
    codeFiles,
    tunnels,
  }
  const listening: Listening = await listen({
    app: (endpoint) => createApp(api, endpoint, parts),
    gate,
    complain,
    token: newToken(folders.token),
    socket: folders.socket,
    pageSocket: folders.pageSocket,
    port: wanted,
    fds: sockets?.fds,
    origin: originOf,
    page,
    browsers,
    shared: () => shared.addresses(),
    onClose: () => subscribers.close(),
  })
  api.address = listening.origin ?? null
  return {
    port: listening.port ?? 0,
    memberApp: createApp(api, unixEndpoint(randomBytes(32).toString('hex')), parts),
    close: async () => {
      shared.close()
      tunnels.close()
      codeFiles.close()
      leave()
      await listening.close()
      browsers.close()
    },
  }
}

/** SPEC OC2, OC3. The browsers, and the process that holds their address while no daemon runs. */
function signingIn(api: LocalDaemonApi, options: DaemonOptions, complain: Complain) {
  const { folders, sockets, playedHooks } = options
  const id = sockets?.id || newHoldId()
  let fds: readonly number[] = []
  const browsers = new Browsers({
    file: join(folders.state, 'browsers.json'),
    complain,
    note: (what, who, where, words) => void api.acts.note({ session: '', what, who, where, words }),
    onUse: () => {
      const isHeld = sockets?.byHolder === false || holderOf(folders)?.id === id
      if (!playedHooks && !isHeld) startHolder(folders, fds, id)
    },
  })
  return {
    browsers,
    originOf: (bound: Bound): string => {
      fds = bound.fds
      const hold = holdOf(bound, id, browsers.hold)
      browsers.holdOn(hold)
      // The sockets it holds have no daemon behind them any more.
      if (holderOf(folders)?.id !== id) endHolder(folders)
      return hold.origin
    },
    /** Without a signed-in browser there is nothing to hold. */
    leave: () => {
      if (!browsers.isInUse) endHolder(folders)
    },
  }
}
