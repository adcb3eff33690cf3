import type { Client } from '../../../client/client.ts'
import type { Folders } from '../../../home/folders.ts'
import type { Health } from '../../../protocol/daemon.ts'
import type { AgentHere } from '../agents-here.ts'

/** What the checks look at. */
export interface CheckContext {
  readonly folders: Folders
  readonly env: Readonly<Record<string, string | undefined>>
  /** The daemon and its health; undefined if none could be started. */
  readonly daemon: { readonly client: Client; readonly health: Health } | undefined
  /** Why there is no daemon. */
  readonly absence: string | undefined
  /** The agents that were found on this machine. */
  readonly agents: readonly AgentHere[]
}
