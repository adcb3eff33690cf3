import { missingFor } from '../../lab/drive/missing.ts'

/**
 * For tests that run the real client: whether to skip them, because it or tmux is missing, with a
 * line that says so. With CI_CLIENTS=1 they run and fail instead: CI cannot pass without them.
 */
export function noClient(): boolean {
  if (process.env.CI_CLIENTS === '1') return false
  const missing = missingFor()
  if (missing) process.stderr.write(`skipped, the real client cannot run: ${missing}\n`)
  return missing !== undefined
}
