import { readFileSync } from 'node:fs'

/**
 * Loaded into a daemon before its own code: its wall clock is then off by what a file says, and
 * jumps when that changes, while the monotonic clock goes on.
 */
const file = process.env.VIGIL_TEST_CLOCK
const realNow = Date.now
let offsetMs = 0

function look(): void {
  try {
    offsetMs = Number(readFileSync(file ?? '', 'utf8'))
  } catch {
    offsetMs = 0
  }
}

if (file) {
  look()
  setInterval(look, 5).unref()
  Date.now = () => realNow() + offsetMs
}
