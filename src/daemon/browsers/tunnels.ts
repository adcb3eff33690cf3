import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { AdminPolicy } from '../../home/policy.ts'
import type { Tunnel } from '../../protocol/browser.ts'
import { type Address, addressAt } from '../api/endpoint.ts'
import { Problem } from '../problem.ts'
import type { Browsers } from './browsers.ts'

interface TunnelParts {
  /** The folder of their sockets: the daemon's own folder for sockets. */
  readonly folder: string
  readonly policy: Pick<AdminPolicy, 'allows' | 'whyNot'>
  readonly browsers: Browsers
  /** Listens on a socket for these addresses; returns how to end that. */
  readonly listen: (
    path: string,
    addresses: () => readonly Address[],
  ) => Promise<() => Promise<void>>
}

/** The command that opened a tunnel announces it to the next daemon within this time. */
const ANNOUNCED_MAX_MS = 60_000

/**
 * SPEC OC10. SSH tunnels from other computers. On such a computer any user can listen on the
 * tunnel's port while the tunnel is down, receive the key of a browser that reconnects, and leave a
 * service worker. So each tunnel has its own address and socket: the next one has others, and what
 * was learned in between is useless.
 */
export class Tunnels {
  readonly #parts: TunnelParts
  readonly #origins = new Map<string, string>()
  /** Every name used so far, with the controller that ends its tunnel. */
  readonly #used = new Map<string, AbortController>()
  readonly #late: NodeJS.Timeout
  #before: Promise<unknown> = Promise.resolve()
  #isClosing = false

  constructor(parts: TunnelParts) {
    this.#parts = parts
    removeLeft(parts.folder)
    const forget = () => this.#forget((origin) => !this.origins().includes(origin))
    this.#late = setTimeout(forget, ANNOUNCED_MAX_MS).unref()
  }

  /** Origins under which a browser can sign in through a tunnel. */
  origins(): readonly string[] {
    return [...this.#origins.values()]
  }

  /** Opens a tunnel for as long as the caller stays connected. */
  async hold(tunnel: Tunnel, gone: AbortSignal): Promise<void> {
    const { name } = tunnel
    const { folder, policy, listen } = this.#parts
    const forbidden = policy.whyNot('sharing')
    if (forbidden !== undefined) throw new Problem(403, forbidden)
    // If ssh died unnoticed the previous tunnel may linger, and another user there may know its
    // key.
    this.#used.get(name)?.abort()
    if (this.#used.has(name)) throw new Problem(409, USED, 'body.name')
    const over = new AbortController()
    this.#used.set(name, over)
    const origin = originOf(tunnel)
    const addresses = [addressAt(origin)]
    // One at a time: a socket is created under a temporary name and then renamed.
    const opened = this.#before.then(() =>
      listen(join(folder, name), () => (policy.allows('sharing') ? addresses : [])),
    )
    this.#before = opened.catch(() => {})
    const end = await opened
    this.#origins.set(name, origin)
    await aborted(AbortSignal.any([gone, over.signal]))
    // The command announces it to the next daemon: its browsers stay signed in.
    if (this.#isClosing) return
    this.#origins.delete(name)
    await end()
    this.#forget((one) => one === origin)
  }

  close(): void {
    this.#isClosing = true
    clearTimeout(this.#late)
  }

  #forget(isGone: (origin: string) => boolean): void {
    const { browsers } = this.#parts
    for (const { id, origin } of browsers.list())
      if (isTunnel(origin) && isGone(origin)) browsers.forget(id, 'its SSH tunnel has ended')
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
}

const USED = 'name: was used before; choose another, for example with `date +%s`'

/** Browsers resolve every name under `localhost` to the computer they run on. */
function originOf({ label, port }: Tunnel): string {
  return `http://t${label}.localhost:${port}`
}

function isTunnel(origin: string): boolean {
  return /^http:\/\/t[0-9a-f]{32}\.localhost:\d+$/.test(origin)
}

/** Sockets of a daemon that was killed. */
function removeLeft(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => /^\d+$/.test(one)))
    if (lstatSync(join(folder, name)).isSocket()) rmSync(join(folder, name))
}
