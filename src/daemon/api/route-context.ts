import type { Browsers } from '../browsers/browsers.ts'
import type { CodeFiles } from '../browsers/code-files.ts'
import type { OpenResponses } from '../browsers/open-responses.ts'
import type { Tunnels } from '../browsers/tunnels.ts'
import type { DaemonApi } from '../daemon-api.ts'
import type { Subscribers } from './event-stream.ts'
import type { Gate } from './gate.ts'
import type { Page } from './page.ts'

/** What the routes of all endpoints share. */
export interface RouteContext {
  readonly api: DaemonApi
  readonly gate: Gate
  readonly subscribers: Subscribers
  readonly browsers: Browsers
  readonly responses: OpenResponses
  readonly page: Page | undefined
  /** Addresses under which a browser can sign in, this machine's own first. */
  readonly origins: () => readonly string[]
  readonly codeFiles: CodeFiles | undefined
  readonly tunnels: Tunnels | undefined
  readonly now: () => number
  /** How long a change may wait for the log: with a full disk it would wait for ever. */
  readonly logWaitMaxMs: number
}
