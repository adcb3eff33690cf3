import { translate } from '../agents/index.ts'
import type { Report } from '../core/signal.ts'
import { type Change, Tracker } from '../core/tracker.ts'

/**
 * Feeds reports in virtual time: each at its arrival, and between them every appointment that
 * `nextLook` made, until `endAt`. Yields every change of verdict, in order.
 */
export function* play(reports: readonly Report[], endAt: number): Generator<Change> {
  const tracker = new Tracker(translate)
  for (const report of reports) {
    yield* tracker.runTo(report.t)
    yield* tracker.take(report)
  }
  yield* tracker.runTo(endAt)
}
