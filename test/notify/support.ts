import type { Session } from '../../src/protocol/session.ts'
import { type NotifySettings, readNotify } from '../../src/surfaces/notify/settings.ts'
import { aSession } from '../support/sessions.ts'

/** A session that waits for permission, or what is said of it. */
export function sessionWith(given: Partial<Session> = {}): Session {
  return aSession({
    id: 'session-1',
    state: 'waiting',
    for: 'permission',
    since: 0,
    rule: 'W1',
    reason: 'asks whether it may run a command',
    unread: true,
    request: { tool: 'Bash', text: 'npm test', at: 0 },
    cwd: '/home/ada/payments',
    project: 'payments',
    ...given,
  })
}

export function settingsWith(given: Readonly<Record<string, unknown>> = {}): NotifySettings {
  const { settings, faults } = readNotify({ on: true, channels: [DESKTOP], ...given })
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return settings
}

const DESKTOP = { name: 'desk', kind: 'desktop' }
