import { homedir } from 'node:os'
import type { Env } from '../../agents/agent.ts'
import { readRegularLater } from '../../home/regular-file.ts'
import type { Arrival, Complain } from '../../sources/arrival.ts'
import type { ActTable } from '../../store/acts.ts'
import type { Engine } from '../engine.ts'
import { logErrors } from '../listeners.ts'
import type { LiveSettings } from '../live-settings.ts'
import type { AgentServers } from './agent-servers.ts'
import type { AnswerableRequests } from './answerable.ts'
import { loggedRequest } from './logged-request.ts'
import { overBy } from './over.ts'
import type { DialogPanes } from './pane-requests.ts'
import { RequestFiles } from './request-files.ts'
import { LocalRequests } from './requests.ts'
import type { ActRecorder, Requests } from './shapes.ts'

export interface RequestServiceParts {
  readonly engine: Engine
  readonly open: AnswerableRequests
  readonly table: ActTable
  readonly acts: Pick<ActRecorder, 'note'>
  readonly settings: LiveSettings
  readonly complain: Complain
  readonly panes: DialogPanes
  readonly servers: AgentServers
  readonly env: Env
  /** The sessions are recorded: their logs are not on this machine. */
  readonly recorded?: boolean
}

export interface RequestService {
  readonly requests: Requests
  /** Every report, once it was learnt. */
  onReport(arrival: Arrival): void
  /** Sessions whose facts changed. */
  onSessionsChanged(ids: ReadonlySet<string>): void
  start(): void
  close(): void
}

/** The requests of agents, and their dependencies on this machine. */
export function requestServiceOf(parts: RequestServiceParts): RequestService {
  const { engine, open, table, acts, settings, complain, panes, env, servers } = parts
  const { recorded = false } = parts
  const { allowed } = open
  const { tracker } = engine
  const requests = new LocalRequests({
    open,
    acts,
    table,
    now: Date.now,
    overBy: ({ asked, key, at }) =>
      overBy(tracker.sessions.facts(asked.session), tracker.verdict(asked.session), { key, at }),
    logged: (session) => {
      const isMute = tracker.sessions.facts(session)?.heard.hook === undefined
      const isWaiting = tracker.verdict(session)?.state === 'waiting'
      const row = isMute && isWaiting && !recorded ? engine.look(session) : undefined
      return row && loggedRequest(row)
    },
    settle: () => engine.intake.flush(),
    complain,
    panes,
    servers,
    files: new RequestFiles({
      folderOf: (session) => engine.look(session)?.cwd ?? null,
      home: env.HOME || homedir(),
      read: recorded ? async () => undefined : readRegularLater,
      // Its row is sent again, so views fetch its requests again.
      found: (session) => open.changed.emit(session),
    }),
  })
  /**
   * An error in requests must not keep reports from being learnt and sessions from being judged.
   */
  const guard = (act: () => void) => logErrors(complain, 'the request service missed a change', act)
  open.changed.add((session) => engine.list.changes.touch([session]))
  const unfollow = settings.follow(({ answers }) => guard(() => allowed.use(answers)))
  return {
    requests,
    onReport: (arrival) => guard(() => requests.onReport(arrival)),
    onSessionsChanged: (ids) => guard(() => requests.onSessionsChanged(ids)),
    start: () =>
      guard(() => {
        allowed.use(settings.now.answers)
        requests.start()
      }),
    close: () => {
      unfollow()
      requests.close()
    },
  }
}
