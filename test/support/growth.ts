/** What quadratic code takes for a text ten times as long. */
const QUADRATIC = 100
/** A busy machine is slow for a moment; slow code is slow always. */
const TRIES_MAX = 4

/**
 * Whether ten times the text takes clearly less than a hundred times as long. `short` is run ten
 * times, so that both are measured for about as long and a clock that is coarse does not decide.
 */
export function isLinear(run: (text: string) => void, short: string, long: string): boolean {
  run(short)
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const shortMs = timeOf(() => {
      for (let times = 0; times < 10; times++) run(short)
    })
    const longMs = timeOf(() => run(long))
    if (longMs * 10 < Math.max(shortMs, 1) * (QUADRATIC / 2)) return true
  }
  return false
}

function timeOf(act: () => void): number {
  const began = performance.now()
  act()
  return performance.now() - began
}
