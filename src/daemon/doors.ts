import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Complain } from '../sources/arrival.ts'
import { createApp } from './api/app.ts'
import type { Door } from './api/door.ts'
import { Subscribers } from './api/events.ts'
import { Gate } from './api/gate.ts'
import { Page } from './api/page.ts'
import { listen } from './api/server.ts'
import { tokenAt } from './api/token.ts'
import { Browsers } from './browsers/browsers.ts'
import { Lines } from './browsers/lines.ts'
import { Shared } from './browsers/shared.ts'
import type { DaemonOptions } from './daemon.ts'
import type { LiveSettings } from './live-settings.ts'
import type { LocalFleet } from './local-fleet.ts'

export interface Doors {
  readonly port: number
  close(): Promise<void>
}

/** The ways in, and who may use them: the socket, the port, browsers that signed in. */
export async function openDoors(
  fleet: LocalFleet,
  { folders, port: wanted }: DaemonOptions,
  { settings, complain }: { readonly settings: LiveSettings; readonly complain: Complain },
): Promise<Doors> {
  const gate = new Gate(complain)
  const subscribers = new Subscribers(fleet.feed, {}, fleet.requests)
  const page = Page.read()
  const lines = new Lines()
  const browsers = new Browsers({ file: join(folders.state, 'browsers.json'), complain })
  browsers.onGone((id) => lines.cut(({ who }) => who.kind === 'browser' && who.id === id))
  let tcp: Door | undefined
  const shared = new Shared(settings, () =>
    lines.cut(({ host }) => !tcp?.addresses().some((address) => address.host === host)),
  )
  const portFile = join(folders.state, 'port')
  const last = portIn(portFile)
  const listening = await listen({
    app: (door) => {
      if (door.transport === 'tcp') tcp = door
      return createApp(fleet, door, { complain, gate, subscribers, browsers, lines, page })
    },
    gate,
    token: tokenAt(folders.token),
    socket: folders.socket,
    port: wanted ?? last,
    page,
    browsers,
    shared: () => shared.addresses(),
    onClose: () => subscribers.close(),
  })
  const port = listening.port ?? 0
  fleet.address = `http://127.0.0.1:${port}`
  // SPEC DR16. Whoever has that port now could have been told keys, and no page finds us there.
  if (last !== 0 && last !== port) browsers.forgetAll(`port ${last} is another’s`)
  writeFileSync(portFile, `${port}\n`, { mode: 0o600 })
  return {
    port,
    close: async () => {
      shared.close()
      await listening.close()
      browsers.close()
    },
  }
}

/** The port of last time, so that an open page finds its way back; else any. */
function portIn(file: string): number {
  try {
    const port = Number.parseInt(readFileSync(file, 'utf8'), 10)
    return port > 0 && port < 65_536 ? port : 0
  } catch {
    return 0
  }
}
