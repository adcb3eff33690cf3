import type { Details, LimitWindow, UsageLimits } from '../../core/signal.ts'
import { type Fields, fields, given, numberIn } from '../read.ts'

type Figures = Pick<Details, 'contextLeftPercent' | 'limits'>

/** SPEC CX60, CX61. What a `token_count` tells besides the tokens. */
export function rolloutFigures(payload: Fields, at: number): Figures {
  const limits = limitsIn(fields(payload.rate_limits), at)
  return given({ contextLeftPercent: contextLeft(fields(payload.info)), limits }) as Figures
}

/** Instructions and tools, which every request contains: the client does not count them. */
const BASELINE_TOKENS = 12_000

/** In percent, as the client itself shows it, by the last request. */
function contextLeft(info: Fields): number | undefined {
  const window = (numberIn(info.model_context_window) ?? 0) - BASELINE_TOKENS
  const used = numberIn(fields(info.last_token_usage).total_tokens)
  if (used === undefined || used < 0 || window <= 0) return undefined
  const left = 1 - Math.max(0, used - BASELINE_TOKENS) / window
  return Math.round(100 * Math.max(0, left))
}

/** The subscription's windows of 5 h and of a week; a key of the API has neither. */
function limitsIn(limits: Fields, at: number): UsageLimits | undefined {
  const windows = [limits.primary, limits.secondary].flatMap((one) => windowIn(fields(one)) ?? [])
  return windows.length === 0 ? undefined : { at, windows }
}

const MINUTE_MS = 60_000

function windowIn(window: Fields): LimitWindow | undefined {
  const used = numberIn(window.used_percent)
  if (used === undefined || used < 0) return undefined
  const minutes = numberIn(window.window_minutes) ?? 0
  const resets = numberIn(window.resets_at) ?? 0
  return {
    usedPercent: Math.min(100, used),
    lastsMs: minutes > 0 ? minutes * MINUTE_MS : null,
    resetsAt: resets > 0 ? resets * 1_000 : null,
  }
}
