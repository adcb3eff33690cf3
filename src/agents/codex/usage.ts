import type { Report } from '../../core/signal.ts'
import { entryTime, fields, tokensIn } from '../read.ts'
import type { Usage } from '../records.ts'
import { threadOf } from './rollout.ts'

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
  const total = tokensIn(fields(fields(info).total_token_usage).total_tokens)
  const cacheRead = tokensIn(last.cached_input_tokens)
  const cacheWritten = tokensIn(last.cache_write_input_tokens)
  // All input is counted, whether cached or not.
  const input = Math.max(0, tokensIn(last.input_tokens) - cacheRead - cacheWritten)
  const counts = { input, output: tokensIn(last.output_tokens), cacheRead, cacheWritten }
  const isTold = total > 0 && Object.values(counts).some((count) => count > 0)
  return isTold ? { message: `${thread} ${total}`, t: entryTime(report), ...counts } : undefined
}
