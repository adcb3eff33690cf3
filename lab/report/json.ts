import { percent, type Score } from '../../src/recording/meter.ts'
import { quantile } from '../score/delays.ts'
import type { Figures, Result } from '../score/result.ts'

/** A run's figures as one object, without its timelines. */
export function jsonOf({ name, shows, client, failed, truthFrom, ...result }: Result): object {
  const without = Object.entries(result.without).map(([names, score]) => [names, scoreJson(score)])
  return {
    run: name,
    shows,
    client,
    ...(failed !== undefined && { failed }),
    truthFrom,
    core: result.core && figuresJson(result.core),
    live: result.live && figuresJson(result.live),
    ghosts: result.ghosts,
    disputes: result.disputes,
    without: Object.fromEntries(without),
  }
}

function figuresJson({ score, delays }: Figures): object {
  return {
    ...scoreJson(score),
    delayMedianMs: quantile(delays.ms, 0.5),
    delayP99Ms: quantile(delays.ms, 0.99),
    delaysMs: delays.ms,
    missed: delays.missed,
  }
}

function scoreJson({ byState, ...score }: Score): object {
  return {
    rightPercent: percent(score.rightMs, score.totalMs),
    kindPercent: percent(score.kindRightMs, score.kindTotalMs),
    ...score,
    byState: Object.fromEntries(byState),
  }
}
