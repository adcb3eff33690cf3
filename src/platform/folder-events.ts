import { statfsSync, watch } from 'node:fs'
import { FolderPolling } from './folder-polling.ts'
import type { OnFolderEvent } from './polled-folder.ts'
import { IS_LINUX, IS_MAC, IS_PORTABLE } from './system.ts'

export interface FolderEvents {
  /** Where folders are polled: polls this file too. */
  follow(name: string): void
  close(): void
}

export interface FolderEventsOptions {
  /** There may be thousands of these: where folders are polled, they take turns. */
  readonly isOneOfMany?: boolean
  readonly onEvent: OnFolderEvent
  /** The system dropped the watch. */
  readonly onLost: () => void
}

/** All polling of this process. */
export const folderPolling = new FolderPolling()

/**
 * Reports what is created, removed and changed in a folder; throws the system's error where it
 * cannot. Linux has events for all of it. macOS has none for writes through a descriptor that stays
 * open, so its folders are polled in addition.
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

/** Whether hooks have to wake the daemon, because no event reports the file that they leave. */
export const NEEDS_WAKING = IS_PORTABLE || IS_MAC

/**
 * SPEC PT6. File systems of other machines: a watch is accepted, and no event ever comes. WSL
 * mounts the Windows drives as 9p.
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
