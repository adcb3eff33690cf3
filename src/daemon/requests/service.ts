import type { Folders } from '../../home/folders.ts'
import type { AdminPolicy } from '../../home/policy.ts'
import type { Arrival, Complain } from '../../sources/arrival.ts'
import type { ActTable } from '../../store/acts.ts'
import { headFileOf } from '../../store/audit-head.ts'
import type { ChainHead } from '../../store/chain-check.ts'
import { AuditLog } from '../audit/audit-log.ts'
import type { Engine } from '../engine.ts'
import type { LiveSettings } from '../live-settings.ts'
import { Able } from './able.ts'
import { LoggedActs } from './acts.ts'
import { overBy } from './over.ts'
import { LocalRequests } from './requests.ts'
import type { ActRecorder, Requests } from './shapes.ts'

export interface RequestServiceParts {
  readonly engine: Engine
  readonly book: ActTable
  readonly folders: Folders
  readonly settings: LiveSettings
  readonly policy?: AdminPolicy | undefined
  /** An act is in the log. */
  readonly onNoted: (head: ChainHead) => void
  readonly complain: Complain
}

export interface RequestService {
  readonly requests: Requests
  readonly acts: ActRecorder
  /** A way to answer that stands by itself, while it does. */
  way(name: string, able: boolean): void
  /** Every report, once it was learnt. */
  see(arrival: Arrival): void
  /** Sessions that were touched. */
  attend(ids: ReadonlySet<string>): void
  start(): void
  /** Hooks that wait are sent away: the endpoints close. */
  hangUp(): void
  close(): void
}

/** The requests of agents, and what they need of this machine. */
export function requestServiceOf(parts: RequestServiceParts) {
  const { engine, book, folders, settings, complain, policy } = parts
  const { tracker } = engine
  const able = new Able({
    run: folders.run,
    now: Date.now,
    policy,
    complain,
    onChange: () => requests.reconsider(),
  })
  const headFile = headFileOf(folders)
  const audit = new AuditLog({ book, headFile, now: Date.now, onNoted: parts.onNoted, complain })
  audit.start()
  const acts = new LoggedActs(audit, Date.now)
  const requests: LocalRequests = new LocalRequests({
    able,
    acts,
    book,
    now: Date.now,
    overBy: ({ asked, key, at }) =>
      overBy(tracker.sessions.facts(asked.session), tracker.verdict(asked.session), { key, at }),
    settle: () => engine.intake.flush(),
    complain,
  })
  /** Reports are learnt and sessions judged whatever becomes of requests. */
  const guard = (act: () => void) => {
    try {
      act()
    } catch (error) {
      complain('requests could not follow', { why: String(error) })
    }
  }
  const unfollow = settings.follow(({ answers }) => able.use(answers))
  const works: RequestService = {
    requests,
    acts,
    way: (name, is) => able.way(name, is),
    see: (arrival) => guard(() => requests.see(arrival)),
    attend: (ids) => guard(() => requests.attend(ids)),
    start: () =>
      guard(() => {
        able.use(settings.now.answers)
        requests.start()
      }),
    hangUp: () => requests.hangUp(),
    close: () => {
      unfollow()
      able.close()
    },
  }
  return works
}
