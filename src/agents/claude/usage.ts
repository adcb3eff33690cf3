import type { Report } from '../../core/signal.ts'
import { entryTime, fields, shortText, tokensIn } from '../read.ts'
import type { Usage } from '../records.ts'

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
    input: tokensIn(usage.input_tokens),
    output: tokensIn(usage.output_tokens),
    cacheRead: tokensIn(usage.cache_read_input_tokens),
    cacheWritten: tokensIn(usage.cache_creation_input_tokens),
  }
  const isTold = Object.values(counts).some((count) => count > 0)
  return message && isTold ? { message, t: entryTime(report), ...counts } : undefined
}
