import type { Request } from './facts.ts'
import type { Details, LoopFacet, Source, WaitingFor } from './signal.ts'

export const STATES = [
  'starting',
  'working',
  'waiting',
  'background',
  'idle',
  'error',
  'stuck',
  'closed',
  'unknown',
] as const
export type State = (typeof STATES)[number]

export type IdleAfter = 'start' | 'work' | 'talk' | 'interrupt' | 'compact'

/** What a working agent is doing: a tool by its name, or one of the words below. */
export interface Doing {
  readonly what: 'tool' | 'thinking' | 'compacting' | 'retrying'
  readonly tool?: string
  readonly label?: string
  readonly since: number
}

/** A fact the verdict rests on, so that `why` can point at what was seen, where and when. */
export interface Evidence {
  readonly source: Source
  readonly saw: string
  readonly at: number
}

/** What the facts of a session mean at a moment. */
export interface Verdict {
  readonly session: string
  readonly state: State
  readonly since: number
  /** The rule of docs/spec that decided. */
  readonly rule: string
  readonly reason: string
  readonly grounds: readonly Evidence[]
  readonly for?: WaitingFor
  readonly request?: Pick<Request, 'tool' | 'text' | 'actor' | 'at'>
  readonly after?: IdleAfter
  readonly cause?: string
  readonly how?: string
  readonly doing?: Doing
  readonly unread: boolean
  readonly typing: boolean
  readonly tasks: readonly TaskFacet[]
  readonly loop?: LoopFacet
  /** SPEC C7. Its terminal was closed, and it goes on without one. */
  readonly detached?: true
  readonly details: Details
}

export interface TaskFacet {
  readonly id: string
  readonly what: string
  readonly label?: string
}
