import type { Source } from '../core/signal.ts'
import type { Folders } from '../home/folders.ts'
import type { AdminPolicy } from '../home/policy.ts'
import type { Settings } from '../home/settings.ts'
import type { OpenRequest, RequestAnswer, RequestOutcome } from '../protocol/request.ts'
import type { Listing, Session } from '../protocol/session.ts'
import type { Complain, Sink, Spooled } from '../sources/arrival.ts'
import type { LoggedChange } from '../store/store.ts'

/** What a surface gets that acts by itself in the daemon's process. */
export interface SurfaceContext {
  readonly machine: string
  /** Open sessions, and those that closed a short while ago. */
  readonly sessions: () => Listing
  readonly session: (id: string) => Session | undefined
  /** The source in which the client reports its own state; undefined where it stands still. */
  readonly statusFrom: (id: string) => Source | undefined
  /**
   * The log of changes. `onChange` calls the listener after each commit, and returns a function
   * that unsubscribes.
   */
  readonly changes: {
    readonly after: (id: number, limit: number) => readonly LoggedChange[]
    readonly onChange: (listener: () => void) => () => void
  }
  readonly requests: {
    readonly list: (filter: { readonly session: string }) => readonly OpenRequest[]
    readonly answer: (id: string, answer: RequestAnswer, who: string) => Promise<void> | undefined
    readonly outcome: (report: Spooled) => RequestOutcome
  }
  /** Sessions of other machines, where this one belongs to a fleet. */
  readonly remote?: RemoteFeed
  readonly folders: Folders
  readonly settings: {
    readonly now: Settings
    readonly follow: (listener: (settings: Settings) => void) => () => void
  }
  readonly policy: Pick<AdminPolicy, 'allows'>
  /**
   * Ids of sessions that a report was about, even if no verdict changed. Returns a function that
   * unsubscribes.
   */
  readonly onTouched: (listener: (ids: ReadonlySet<string>) => void) => () => void
  /** Takes reports of what the surface saw the user do. */
  readonly take: Sink
  readonly complain: Complain
  /** `vigil doctor` shows the text until it is set to undefined. */
  readonly trouble: (about: string, what: string | undefined) => void
}

/** SPEC FL92. Rows of other machines as they arrive. */
export interface RemoteFeed {
  readonly rows: () => readonly Session[]
  /** Returns a function that unsubscribes. */
  readonly onRow: (listener: (news: RemoteNews) => void) => () => void
}

export type RemoteNews =
  | { readonly kind: 'session'; readonly session: Session }
  | { readonly kind: 'gone'; readonly machine: string; readonly session: string }

export interface AttachedSurface {
  close(): Promise<void> | void
}

export type AttachSurface = (context: SurfaceContext) => readonly AttachedSurface[]

/** Surfaces by their names in the log. */
export type SurfaceTable = Readonly<Record<string, AttachSurface>>
