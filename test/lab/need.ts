import { describe } from 'vitest'
import { missingFor } from '../../lab/drive/missing.ts'

/**
 * Tests that run the real client. Where it or tmux is missing they are skipped, with a line that
 * says why; with CI_CLIENTS=1 they fail instead, so that CI cannot pass without them.
 */
export function describeWithClient(name: string, tests: () => void): void {
  const missing = process.env.CI_CLIENTS === '1' ? undefined : missingFor()
  if (missing) process.stderr.write(`skipped: ${name}: ${missing}\n`)
  describe.skipIf(missing)(missing ? `${name} (skipped: ${missing})` : name, tests)
}
