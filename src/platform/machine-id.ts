import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { IS_MAC } from './system.ts'

/** The system's id of this machine; empty where it has none, as in some containers. */
export function systemId(): string {
  for (const file of ['/etc/machine-id', '/var/lib/dbus/machine-id'])
    try {
      const [id = ''] = readFileSync(file, 'latin1').split('\n')
      if (/^[0-9a-f]{32}$/.test(id)) return id
    } catch {
      // Not on this system.
    }
  return IS_MAC ? macId() : ''
}

function macId(): string {
  try {
    const args = ['-rd1', '-c', 'IOPlatformExpertDevice']
    const said = execFileSync('/usr/sbin/ioreg', args, { encoding: 'utf8', timeout: 2_000 })
    return /"IOPlatformUUID" = "([0-9A-F-]{36})"/.exec(said)?.[1] ?? ''
  } catch {
    return ''
  }
}
