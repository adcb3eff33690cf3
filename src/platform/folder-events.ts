import { statfsSync, watch } from 'node:fs'
import { FolderPolling } from './folder-polling.ts'
import type { OnFolderEvent } from './polled-folder.ts'
import { IS_LINUX, IS_MAC, IS_PORTABLE } from './system.ts'

export interface FolderEvents {
  /** Where folders are looked at: looks at this file too. */
  follow(name: string): void
  close(): void
}

export interface FolderEventsOptions {
  /** Of which there may be thousands: where folders are looked at, then in turns. */
  readonly isOneOfMany?: boolean
  readonly onEvent: OnFolderEvent
  /** The system gave the watch up. */
  readonly onLost: () => void
}

/** All that is looked at in this process. */
export const folderPolling = new FolderPolling()

/**
 * Tells what comes, goes and changes in a folder; throws as the system does where it cannot. Linux
 * has events for all of it. macOS has none for what is written through a descriptor that stays
 * open, so that its folders are looked at besides.
 */
export function watchFolder(path: string, options: FolderEventsOptions): FolderEvents {
  const { isOneOfMany = false, onEvent, onLost } = options
  const isSilent = IS_PORTABLE || isSilentMount(path)
  const polled = isSilent || IS_MAC ? folderPolling.add(path, isOneOfMany, onEvent) : undefined
  const watcher = isSilent ? undefined : watch(path, onEvent)
  watcher?.on('error', onLost)
  return {
    follow: (name) => polled?.follow(name),
    close: () => {
      watcher?.close()
      polled?.close()
    },
  }
}

/** Whether hooks have to wake the daemon, since no event tells of the file that they leave. */
export const NEEDS_WAKING = IS_PORTABLE || IS_MAC

/**
 * SPEC PT6. File systems of other machines: a watch is accepted, and nothing that happens there is
 * told. WSL has the Windows drives as 9p.
 */
export function isSilentMount(path: string, typeOf = mountTypeOf): boolean {
  return IS_LINUX && SILENT_TYPES.has(typeOf(path))
}

/** 9p, NFS, CIFS and SMB 2, as `statfs` names them. */
const SILENT_TYPES: ReadonlySet<number> = new Set([0x01021997, 0x6969, 0xff534d42, 0xfe534d42])

function mountTypeOf(path: string): number {
  try {
    return statfsSync(path).type
  } catch {
    return 0
  }
}
