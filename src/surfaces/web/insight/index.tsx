import './insight.css'
import './head.css'
import './tables.css'
import { useState } from 'react'
import { csvOf } from '../../../insight/csv.ts'
import {
  PERIODS,
  type Period,
  TABLES,
  type InsightTable as TableName,
} from '../../../protocol/constants.ts'
import type { Insight } from '../../../protocol/insight.ts'
import { headlineOf, hooksWords } from '../../../view/insight.ts'
import { spanOf } from '../../../view/loop.ts'
import { summaryOfAll } from '../../../view/summary.ts'
import { useChosen } from '../frame/use-store.ts'
import { Days, Hours, Spending } from './charts.tsx'
import { Kinds, ProjectList, Waits } from './lists.tsx'
import { useInsight } from './use-insight.ts'

/** SPEC IN25. The past in figures. */
export function InsightView() {
  const [period, setPeriod] = useState<Period>('today')
  const { insight, trouble } = useInsight(period)
  return (
    <div className="insight">
      <header className="insight-head">
        <h1>Insight</h1>
        <fieldset className="periods">
          <legend className="unseen">period</legend>
          {PERIODS.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === period}
              onClick={() => setPeriod(one)}
            >
              {NAMES[one]}
            </button>
          ))}
        </fieldset>
        {insight && <Files insight={insight} />}
      </header>
      {trouble !== null && (
        <p className="trouble" role="alert">
          {trouble}
        </p>
      )}
      {insight ? (
        <Figures insight={insight} />
      ) : (
        trouble === null && <p className="dim">Reading …</p>
      )}
    </div>
  )
}

const NAMES: Readonly<Record<Period, string>> = { today: 'Today', week: '7 days', month: '30 days' }

/** A minute without a daemon, as during a replacement, is not worth a line. */
const UNWATCHED_SAID_MS = 60_000

function Figures({ insight }: { readonly insight: Insight }) {
  const { period, totals, answers, hooks, unwatchedMs } = insight
  const waiting = useChosen(({ sessions }) => summaryOfAll(sessions).waiting)
  const headline = headlineOf(totals, answers, waiting)
  return (
    <>
      <dl className="headline">
        {headline.map(({ name, value, note }) => (
          <div className="card" key={name}>
            <dt>{name}</dt>
            <dd className="value">{value}</dd>
            <dd className="note">{note}</dd>
          </div>
        ))}
      </dl>
      <div className="charts">
        {period !== 'today' && <Days insight={insight} />}
        <Hours insight={insight} />
        {period !== 'today' && <Spending insight={insight} />}
        <ProjectList insight={insight} />
        <div className="column">
          <Kinds insight={insight} />
          <section className="card">
            <h2>Hooks</h2>
            <p>{hooksWords(hooks)}</p>
          </section>
        </div>
        <Waits insight={insight} />
      </div>
      <p className="dim foot">
        {unwatchedMs > UNWATCHED_SAID_MS &&
          `Not counted: ${spanOf(unwatchedMs)} in which the machine slept or no daemon ran. `}
        Worked is the time of all agents together. Days and hours are those of {insight.zone}.
      </p>
    </>
  )
}

/** Each table as a file, made here from the figures on the page. */
function Files({ insight }: { readonly insight: Insight }) {
  const save = (table: TableName) => {
    const blob = new Blob([csvOf(insight, table)], { type: 'text/csv' })
    const link = document.createElement('a')
    link.href = URL.createObjectURL(blob)
    link.download = `vigil-${insight.period}-${table}.csv`
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), SAVED_MS)
  }
  return (
    <details className="files">
      <summary className="button">CSV</summary>
      <ul className="card">
        {TABLES.map((table) => (
          <li key={table}>
            <button type="button" className="link" onClick={() => save(table)}>
              {table}
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** By then the browser has taken the file. */
const SAVED_MS = 10_000
