import { execFileSync } from 'node:child_process'
import { clientOf, NEWEST } from '../clients.ts'

/** What the lab lacks on this machine, and what to do; undefined if it can run. */
export function missingFor(
  client = NEWEST,
  kind?: Parameters<typeof clientOf>[1],
): string | undefined {
  if (!clientOf(client, kind))
    return `client ${client} is not installed: npm run clients -- ${client}`
  return missingTmux()
}

export function missingTmux(): string | undefined {
  try {
    execFileSync('tmux', ['-V'], { stdio: 'ignore' })
  } catch {
    return 'tmux is not installed'
  }
  return undefined
}
