import type { Insight } from '../../../protocol/insight.ts'
import { shortCount } from '../../../view/insight.ts'
import { dollars, spanOf } from '../../../view/loop.ts'
import { Bars } from './bars.tsx'
import { Twin } from './table.tsx'
import { hourTicks } from './ticks.ts'

const WORKED = { name: 'worked', colour: 'worked' } as const
const WAITED = { name: 'waited for you', colour: 'waited' } as const

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** `3 h`, `20 min`: as much as an axis has room for, in one line. */
function axisTime(ms: number): string {
  if (ms === 0) return '0'
  return ms >= HOUR_MS
    ? `${Math.round((ms / HOUR_MS) * 10) / 10}\u00a0h`
    : `${Math.round(ms / MINUTE_MS)}\u00a0min`
}

export function Days({ insight }: { readonly insight: Insight }) {
  const { byDay, totals } = insight
  const most = Math.max(...byDay.map(({ workedMs, waitedMs }) => workedMs + waitedMs))
  return (
    <Bars
      title="Day by day"
      isWide
      summary={`In ${byDay.length} days ${times(totals)}.`}
      rows={byDay}
      label={({ day }) => dayWords(day)}
      series={[
        { ...WORKED, of: ({ workedMs }) => workedMs },
        { ...WAITED, of: ({ waitedMs }) => waitedMs },
      ]}
      words={spanOf}
      axis={axisTime}
      ticks={hourTicks(most)}
    >
      <Twin
        caption="worked and waited day by day"
        heads={['day', 'worked', 'waited']}
        rows={byDay.map(({ day, workedMs, waitedMs }) => [day, spanOf(workedMs), spanOf(waitedMs)])}
      />
    </Bars>
  )
}

export function Hours({ insight }: { readonly insight: Insight }) {
  const { byHour } = insight
  const most = Math.max(...byHour.map(({ workedMs, waitedMs }) => workedMs + waitedMs))
  const busiest = byHour.toSorted((a, b) => b.workedMs - a.workedMs)[0]?.hour ?? 0
  return (
    <Bars
      title="By the hour"
      isWide={insight.period === 'today' || !hasSpending(insight)}
      leaveOut={2}
      summary={`Agents worked most from ${busiest} to ${busiest + 1} o’clock.`}
      rows={byHour}
      label={({ hour }) => String(hour)}
      series={[
        { ...WORKED, of: ({ workedMs }) => workedMs },
        { ...WAITED, of: ({ waitedMs }) => waitedMs },
      ]}
      words={spanOf}
      axis={axisTime}
      ticks={hourTicks(most)}
    >
      <Twin
        caption="worked and waited by the hour of the day"
        heads={['hour', 'worked', 'waited']}
        rows={byHour.map(({ hour, workedMs, waitedMs }) => [
          ...[String(hour), spanOf(workedMs), spanOf(waitedMs)],
        ])}
      />
    </Bars>
  )
}

/** Cost if it is known, otherwise tokens, otherwise nothing. */
export function Spending({ insight }: { readonly insight: Insight }) {
  const { byDay, totals } = insight
  const heads = ['day', 'cost', 'tokens in', 'tokens out', 'from the cache']
  const table = (
    <Twin
      caption="cost and tokens day by day"
      heads={heads}
      rows={byDay.map(({ day, costUsd, tokens }) => [
        ...[day, costUsd === null ? '–' : dollars(costUsd)],
        ...[tokens?.input, tokens?.output, tokens?.cacheRead].map((count) =>
          count === undefined ? '–' : shortCount(count),
        ),
      ])}
    />
  )
  if (!hasSpending(insight)) return null
  return totals.costUsd === null ? (
    <Bars
      title="Tokens"
      summary={`${shortCount((totals.tokens?.input ?? 0) + (totals.tokens?.output ?? 0))} tokens.`}
      rows={byDay}
      label={({ day }) => dayWords(day)}
      series={[
        { name: 'in', colour: 'spent', of: ({ tokens }) => tokens?.input ?? 0 },
        { name: 'out', colour: 'out', of: ({ tokens }) => tokens?.output ?? 0 },
      ]}
      words={shortCount}
      axis={shortCount}
    >
      {table}
    </Bars>
  ) : (
    <Bars
      title="Cost"
      summary={`${dollars(totals.costUsd)} in ${byDay.length} days.`}
      rows={byDay}
      label={({ day }) => dayWords(day)}
      series={[{ name: 'cost', colour: 'spent', of: ({ costUsd }) => costUsd ?? 0 }]}
      words={dollars}
      axis={(usd) => `$${usd}`}
    >
      {table}
    </Bars>
  )
}

function hasSpending({ totals }: Insight): boolean {
  return totals.costUsd !== null || totals.tokens !== null
}

function times({ workedMs, waitedMs }: Insight['totals']): string {
  return `worked ${spanOf(workedMs)}, waited ${spanOf(waitedMs)}`
}

/** `15 Nov` for `2026-11-15`. */
function dayWords(day: string): string {
  const at = new Date(`${day}T12:00:00Z`)
  return at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
}
