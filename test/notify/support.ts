import type { Session } from '../../src/daemon/session.ts'
import { type NotifySettings, readNotify } from '../../src/surfaces/notify/settings.ts'

/** A session that waits for permission, or what is said of it. */
export function sessionWith(given: Partial<Session> = {}): Session {
  return {
    id: 'session-1',
    agent: 'claude',
    host: 'here',
    state: 'waiting',
    for: 'permission',
    after: null,
    cause: null,
    how: null,
    since: 0,
    rule: 'W1',
    reason: 'asks whether it may run a command',
    unread: true,
    typing: false,
    doing: null,
    request: { tool: 'Bash', text: 'npm test', at: 0 },
    cwd: '/home/ada/payments',
    project: 'payments',
    branch: null,
    title: null,
    pid: null,
    tmuxPane: null,
    tmuxSocket: null,
    tty: null,
    terminal: null,
    transcript: null,
    model: null,
    mode: null,
    version: null,
    contextUsedPercent: null,
    costUsd: null,
    todosDone: null,
    todosTotal: null,
    tasks: [],
    loop: null,
    asks: [],
    lineage: 'session-1',
    parent: null,
    live: true,
    ...given,
  }
}

export function settingsWith(given: Readonly<Record<string, unknown>> = {}): NotifySettings {
  const { settings, faults } = readNotify({ on: true, channels: [DESKTOP], ...given })
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return settings
}

const DESKTOP = { name: 'desk', kind: 'desktop' }
