import { CHECK_OUTPUT_MAX_CHARS } from '../../core/limits.ts'
import { tidy } from './clean.ts'
import { runGroup } from './run-group.ts'

export interface CheckOutcome {
  readonly exitCode: number | null
  readonly output: string
  readonly timedOut?: true
}

/** Both outputs in the order they were written, which two pipes would not preserve. */
const MERGED = 'exec /bin/sh -c "$1" 2>&1'

/** Runs the command that says whether the work is done; the end of its output tells why not. */
export async function check(
  command: string,
  cwd: string,
  timeoutMs: number,
): Promise<CheckOutcome> {
  const options = { cwd, timeoutMs, keptBytesMax: CHECK_OUTPUT_MAX_CHARS * 4 }
  const ran = await runGroup('/bin/sh', ['-c', MERGED, 'sh', command], options)
  const output = ran.trouble ?? endOf(ran.stdout, ran.cut)
  return { exitCode: ran.exitCode, output, ...(ran.timedOut && { timedOut: true }) }
}

/** Whole lines, as many as fit. */
function endOf(text: string, cut: boolean): string {
  const clean = tidy(text).trimEnd()
  if (!cut && clean.length <= CHECK_OUTPUT_MAX_CHARS) return clean
  const end = clean.slice(-(CHECK_OUTPUT_MAX_CHARS - 2))
  const line = end.indexOf('\n') + 1
  return `…\n${end.slice(line < end.length / 2 ? line : 0)}`.toWellFormed()
}
