import { holdWords } from '../../core/loop/need.ts'
import type { LoopRun, RunFrame } from '../../core/loop/run.ts'
import { loopStateOf } from '../../core/loop/state.ts'
import type { LoopFacet } from '../../core/signal.ts'
import type { StepKind } from '../../protocol/constants.ts'
import type { LoopFrame, LoopStep, LoopView } from '../../protocol/loop.ts'
import { isOpenLoop, type StoredLoop } from './open-loops.ts'

export function viewOf({ run, session, last }: StoredLoop, costUsd: number | null): LoopView {
  const top = run.stack.at(-1) ?? last
  const { hold } = run
  return {
    id: run.id,
    session,
    state: loopStateOf(run),
    event: run.event,
    reason: run.reason ?? null,
    because: run.because ?? null,
    hold: hold ? { ...hold, until: hold.until ?? null } : null,
    mode: top?.mode ?? 'loop',
    ...countOf(top),
    prompt: top?.prompt ?? null,
    item: top?.item?.title ?? null,
    until: top?.until ?? null,
    deadlineAt: top?.deadlineAt ?? null,
    budgetUsd: top?.budgetUsd ?? null,
    spentUsd: spentOf(run, costUsd),
    startedAt: run.startedAt,
    updatedAt: run.updatedAt,
    frames: run.stack.map(frameOf),
    open: isOpenLoop(run),
  }
}

/** What every surface shows beside the session's state; null for a loop that ended well. */
export function facetOf({ run, last }: StoredLoop): LoopFacet | null {
  const state = loopStateOf(run)
  if (state !== 'ACTIVE' && state !== 'STUCK') return null
  const hold = run.hold ? holdWords(run.hold) : state === 'STUCK' ? (run.because ?? null) : null
  return { state, ...countOf(run.stack.at(-1) ?? last), hold, until: run.hold?.until ?? null }
}

/** A count that is not a number is shown as 0: such a loop is about to be aborted. */
function countOf(frame: RunFrame | undefined) {
  const { iter = 0, max = 0 } = frame ?? {}
  return { iteration: Number.isFinite(iter) ? iter : 0, max: Number.isFinite(max) ? max : 0 }
}

function spentOf({ stack }: LoopRun, costUsd: number | null): number | null {
  const began = stack[0]?.costAtStartUsd
  return costUsd === null || began === undefined ? null : Math.max(0, costUsd - began)
}

function frameOf(frame: RunFrame): LoopFrame {
  const { id, mode, item, worktree, prompt } = frame
  return {
    id,
    mode,
    ...countOf(frame),
    item: item?.title ?? null,
    worktree: worktree ?? null,
    prompt: prompt ?? null,
  }
}

/** How much of each iteration's last message is stored: enough for a glance. */
const SAID_MAX_CHARS = 400

export interface StepParts {
  readonly kind: StepKind
  readonly at: number
  readonly why?: string
  readonly said?: string
  readonly costUsd?: number | null
  readonly tookMs?: number | null
}

export function stepOf({ run, last }: StoredLoop, parts: StepParts): LoopStep {
  const { kind, at, why = '', said = '', costUsd = null, tookMs = null } = parts
  const frame = run.stack.at(-1) ?? last
  const words = said.trim()
  const end = words.length > SAID_MAX_CHARS ? `…${words.slice(-SAID_MAX_CHARS)}` : words
  const mode = frame?.mode ?? 'loop'
  return { at, kind, ...countOf(frame), mode, why, said: end, costUsd, tookMs }
}
