import type { Report } from '../../core/signal.ts'
import { type Fields, fields, numberIn } from '../read.ts'
import type { Usage } from '../records.ts'
import { rolloutTime, threadOf } from './rollout.ts'

/** More than any model takes: a larger value is no count. */
const TOKENS_MAX = 1_000_000_000

/**
 * SPEC CX29. The tokens of one request to the model. The client repeats a count when limits change;
 * the thread's total tells requests apart.
 */
export function usageIn(report: Report): Usage | undefined {
  if (report.source !== 'transcript') return undefined
  const entry = fields(report.entry)
  const { type, info } = fields(entry.payload)
  const thread = threadOf(report.path)
  if (entry.type !== 'event_msg' || type !== 'token_count' || thread === undefined) return undefined
  const last = fields(fields(info).last_token_usage)
  const total = countIn(fields(fields(info).total_token_usage), 'total_tokens')
  const [cacheRead, cacheWritten] = [
    countIn(last, 'cached_input_tokens'),
    countIn(last, 'cache_write_input_tokens'),
  ]
  // All input is counted, whether cached or not.
  const input = Math.max(0, countIn(last, 'input_tokens') - cacheRead - cacheWritten)
  const counts = { input, output: countIn(last, 'output_tokens'), cacheRead, cacheWritten }
  const isTold = total > 0 && Object.values(counts).some((count) => count > 0)
  return isTold ? { message: `${thread} ${total}`, t: rolloutTime(report), ...counts } : undefined
}

function countIn(usage: Fields, name: string): number {
  const count = numberIn(usage[name]) ?? 0
  return count > 0 && count <= TOKENS_MAX ? Math.floor(count) : 0
}
