import { existsSync } from 'node:fs'
import type { Folders } from '../home/folders.ts'
import { launchAgentPath } from './launchd.ts'
import { type ServiceOptions, servicePort } from './service.ts'

/** Whether the daemon of these folders is started at login. */
export function isServiceInstalled(folders: Folders, env: ServiceOptions['env']): boolean {
  if (process.platform === 'darwin') return existsSync(launchAgentPath(env))
  return servicePort(folders) !== undefined
}
