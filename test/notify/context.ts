import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RemoteFeed, RemoteNews, SurfaceContext } from '../../src/client/surface-context.ts'
import type { Verdict } from '../../src/core/verdict.ts'
import { LiveSettings } from '../../src/daemon/live-settings.ts'
import { foldersOf } from '../../src/home/folders.ts'
import { AdminPolicy } from '../../src/home/policy.ts'
import { addressOf } from '../../src/protocol/address.ts'
import type { Session } from '../../src/protocol/session.ts'
import type { LoggedChange } from '../../src/store/store.ts'
import { Notifications } from '../../src/surfaces/notify/surface.ts'

/** The daemon as notifications see it: sessions that the test changes, and the feed of it. */
export function contextWith(
  notify: object,
  env: Readonly<Record<string, string | undefined>> = {},
) {
  const home = mkdtempSync(join(tmpdir(), 'vigil-notify-'))
  const folders = foldersOf({ VIGIL_HOME: home })
  for (const folder of [folders.state, folders.config]) mkdirSync(folder, { recursive: true })
  const settings = (section: object, more: object = {}) =>
    writeFileSync(
      join(folders.config, 'settings.json'),
      JSON.stringify({ notify: section, ...more }),
    )
  settings(notify)
  const lives: LiveSettings[] = []
  const sessions = new Map<string, Session>()
  const changes: LoggedChange[] = []
  const listeners = new Set<() => void>()
  const troubles = new Map<string, string>()
  const { remote, ...farAway } = elsewhere()
  const context: Partial<SurfaceContext> = {
    sessions: () => ({ seq: changes.length, now: Date.now(), sessions: [...sessions.values()] }),
    session: (id) => sessions.get(id),
    changes: {
      after: (id, limit) => changes.slice(id, id + limit),
      onChange: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    remote,
    folders,
    take: () => {},
    policy: new AdminPolicy(),
    complain: () => {},
    trouble: (about, what) =>
      what === undefined ? troubles.delete(about) : troubles.set(about, what),
  }
  const append = (change: object) => {
    changes.push({ id: changes.length + 1, t: Date.now(), ...change } as LoggedChange)
    for (const listener of listeners) listener()
  }
  return {
    folders,
    troubles,
    sessions,
    settings,
    attach: () => {
      const live = new LiveSettings(folders, () => {})
      lives.push(live)
      const whole = { ...context, settings: live } as SurfaceContext
      return new Notifications(whole, { PATH: process.env.PATH, ...env })
    },
    becomes: (session: Session) => {
      sessions.set(session.id, session)
      append({ kind: 'verdict', session: session.id, verdict: verdictOf(session) })
    },
    ...farAway,
    gone: (session: string, became: string) => append({ kind: 'gone', session, became }),
    end: () => {
      for (const live of lives) live.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

/** Rows of other machines: they arrive and leave. */
function elsewhere() {
  const far = new Map<string, Session>()
  const listeners = new Set<(news: RemoteNews) => void>()
  const tell = (news: RemoteNews) => {
    for (const listener of listeners) listener(news)
  }
  const remote: RemoteFeed = {
    rows: () => [...far.values()],
    onRow: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  return {
    remote,
    arrives: (session: Session) => {
      far.set(addressOf(session), session)
      tell({ kind: 'session', session })
    },
    leaves: (session: Session) => {
      far.delete(addressOf(session))
      tell({ kind: 'gone', machine: session.machine, session: session.id })
    },
  }
}

/** A verdict leaves out what a session says is null. */
function verdictOf(session: Session): Verdict {
  const known = Object.entries(session).filter(([, value]) => value !== null)
  return { grounds: [], details: {}, ...Object.fromEntries(known), session: session.id } as never
}
