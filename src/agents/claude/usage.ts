import type { Report } from '../../core/signal.ts'
import { fields, numberIn, shortText } from '../read.ts'
import type { Usage } from '../records.ts'
import { transcriptTime } from './transcript.ts'

/** More than any model takes: a larger value is no count. */
const TOKENS_MAX = 1_000_000_000

/**
 * The tokens in a line of a transcript. A message is written in several lines, each with the count
 * so far under the message's one id: the largest is the message's.
 */
export function usageOf(report: Report): Usage | undefined {
  if (report.source !== 'transcript') return undefined
  const entry = fields(report.entry)
  const told = fields(entry.message)
  // Filler that the client writes itself; no model wrote it.
  if (entry.type !== 'assistant' || told.model === '<synthetic>') return undefined
  const usage = fields(told.usage)
  const message = shortText(told.id) ?? shortText(entry.uuid)
  const counts = {
    input: countOf(usage.input_tokens),
    output: countOf(usage.output_tokens),
    cacheRead: countOf(usage.cache_read_input_tokens),
    cacheWritten: countOf(usage.cache_creation_input_tokens),
  }
  const isTold = Object.values(counts).some((count) => count > 0)
  return message && isTold ? { message, t: transcriptTime(report), ...counts } : undefined
}

function countOf(value: unknown): number {
  const count = numberIn(value) ?? 0
  return count > 0 && count <= TOKENS_MAX ? Math.floor(count) : 0
}
