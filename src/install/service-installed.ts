import { existsSync } from 'node:fs'
import type { Folders } from '../home/folders.ts'
import { IS_MAC } from '../platform/system.ts'
import { launchAgentPath } from './launchd.ts'
import { type ServiceOptions, servicePort } from './service.ts'

/** Whether the daemon of these folders is started at login. */
export function isServiceInstalled(folders: Folders, env: ServiceOptions['env']): boolean {
  if (IS_MAC) return existsSync(launchAgentPath(env))
  return servicePort(folders) !== undefined
}
