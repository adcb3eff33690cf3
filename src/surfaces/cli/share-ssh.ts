import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from '../../client/ask.ts'
import type { Client } from '../../client/client.ts'
import { BadRequest, DaemonGone } from '../../client/errors.ts'
import { foldersOf } from '../../home/folders.ts'
import type { Tunnel } from '../../protocol/browser.ts'
import { timeOfDay } from '../../view/loop.ts'
import { asked } from './bad-input.ts'
import { codeFor } from './open.ts'
import { out } from './output.ts'
import { reach } from './reach.ts'

/** A daemon that restarts is back soon after. */
const AGAIN_MS = 100

/**
 * SPEC OC10. ssh runs this on the machine of the agents, once its port is bound on the other
 * machine. The daemon listens on the tunnel's socket while this request is open; this command ends
 * with ssh.
 */
export async function openTunnel(name: string, port: number): Promise<void> {
  const tunnel = { name, port, label: randomBytes(16).toString('hex') }
  endWithInput()
  for (let isShown = false; ; await sleep(AGAIN_MS)) {
    const client = await reach()
    const over = new AbortController()
    const held = hold(tunnel).finally(() => over.abort())
    // After a restart the daemon gets the same tunnel, so browsers stay signed in.
    if (!isShown) isShown = await Promise.race([held, shows(client, tunnel, over.signal)])
    const again = () => void shows(client, tunnel, over.signal).catch(() => {})
    process.stdin.on('data', again)
    await held
    process.stdin.off('data', again)
  }
}

/** Waits until the daemon ends; false, because this shows nothing. */
async function hold(body: Tunnel): Promise<false> {
  try {
    const path = '/v1/tunnels'
    await asked(ask(foldersOf(), { method: 'POST', path, body, silenceMaxMs: 0 }))
  } catch (error) {
    if (!(error instanceof DaemonGone)) throw error
  }
  return false
}

/** The daemon knows the address once it listens. */
async function shows(client: Client, { label, port }: Tunnel, over: AbortSignal): Promise<boolean> {
  const origin = `http://t${label}.localhost:${port}`
  for (; !over.aborted; await sleep(AGAIN_MS))
    try {
      const { code, endsAt } = await codeFor(client, { origin })
      out.lines(wordsOf(`${origin}/#code=${code}`, timeOfDay(endsAt)))
      return true
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error
    }
  return false
}

function wordsOf(address: string, until: string): readonly string[] {
  return [
    `Open this address on the computer you connected from. It works once, until ${until}:`,
    '',
    `  ${address}`,
    '',
    'Press Enter for a new address. Ctrl-C closes the tunnel and signs its browsers out.',
  ]
}

/** sshd ends a command with a terminal by a signal, and one without by the end of its input. */
function endWithInput(): void {
  process.stdin.on('end', () => process.exit()).resume()
  // The open request to the daemon keeps this process alive.
  process.stdin.unref?.()
}
