import type { ReactNode } from 'react'
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'

interface BarsProps<Row> {
  readonly title: string
  /** The same in a sentence, for screen readers. */
  readonly summary: string
  readonly rows: readonly Row[]
  readonly label: (row: Row) => string
  readonly series: readonly { name: string; colour: string; of: (row: Row) => number }[]
  readonly words: (value: number) => string
  readonly axis: (value: number) => string
  readonly ticks?: readonly number[] | undefined
  /** How many labels are left out between two. */
  readonly leaveOut?: number
  readonly isWide?: boolean
  /** The same figures in a table. */
  readonly children: ReactNode
}

/** One chart: bars, and its table. */
export function Bars<Row>(props: BarsProps<Row>) {
  const { title, summary, rows, label, series, words, axis, ticks, leaveOut, children } = props
  const data = rows.map((row) => ({
    label: label(row),
    ...Object.fromEntries(series.map(({ name, of }) => [name, of(row)])),
  }))
  return (
    <figure className={`card chart ${props.isWide ? 'wide-card' : ''}`}>
      <figcaption>
        <h2>{title}</h2>
        <Legend series={series} />
      </figcaption>
      <div className="chart-field" role="img" aria-label={summary}>
        <ResponsiveContainer width="100%" height={190}>
          <BarChart data={data} margin={MARGIN} accessibilityLayer={false}>
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="label"
              tickLine={false}
              axisLine={{ stroke: 'var(--line-strong)' }}
              tick={TICK}
              interval={leaveOut ?? 'preserveStartEnd'}
              minTickGap={12}
            />
            <YAxis
              width={46}
              tickLine={false}
              axisLine={false}
              tick={TICK}
              tickFormatter={axis}
              {...(ticks && { ticks: [...ticks], domain: [0, ticks.at(-1) ?? 0] })}
            />
            <Tooltip
              cursor={{ fill: 'var(--inset)' }}
              isAnimationActive={false}
              content={({ active, payload, label: at }) =>
                active ? <Tip label={String(at)} payload={payload} words={words} /> : null
              }
            />
            {series.map(({ name, colour }) => (
              <Bar
                key={name}
                dataKey={name}
                stackId="all"
                fill={`var(--chart-${colour})`}
                isAnimationActive={false}
                maxBarSize={28}
              />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
      {children}
    </figure>
  )
}

/** Half a label is above the uppermost line. */
const MARGIN = { top: 12, right: 4, bottom: 0, left: 0 }
const TICK = { fill: 'var(--ink-3)', fontSize: 11 }

function Legend({ series }: { readonly series: BarsProps<never>['series'] }) {
  if (series.length < 2) return null
  return (
    <ul className="legend" aria-hidden="true">
      {series.map(({ name, colour }) => (
        <li key={name}>
          <span className={`swatch swatch-${colour}`} />
          {name}
        </li>
      ))}
    </ul>
  )
}

interface TipProps {
  readonly label: string
  readonly payload: readonly { readonly name?: unknown; readonly value?: unknown }[] | undefined
  readonly words: (value: number) => string
}

function Tip({ label, payload = [], words }: TipProps) {
  return (
    <div className="tip">
      <strong>{label}</strong>
      {payload.map(({ name, value }) => (
        <span key={String(name)}>
          {String(name)} {words(Number(value))}
        </span>
      ))}
    </div>
  )
}
