import type { Insight } from '../../../protocol/insight.ts'
import { projectWords, quickOf, shortCount } from '../../../view/insight.ts'
import { dollars, spanOf } from '../../../view/loop.ts'
import { useChosen } from '../frame/use-store.ts'
import { addressHash } from '../model/route.ts'
import { Safe } from '../parts/safe-text.tsx'
import { dayAndTime } from '../parts/time.ts'
import { DataTable } from './table.tsx'

const PROJECTS_SHOWN = 12

export function ProjectList({ insight }: { readonly insight: Insight }) {
  const { byProject, projectsLeftOut } = insight
  const shown = byProject.slice(0, PROJECTS_SHOWN)
  const more = byProject.length - shown.length + projectsLeftOut
  const most = Math.max(1, ...shown.map(({ workedMs, waitedMs }) => workedMs + waitedMs))
  if (shown.length === 0) return null
  return (
    <section className="card wide-card">
      <h2>Projects</h2>
      <DataTable
        caption="figures of each project, most time first"
        heads={['project', 'time', 'worked', 'waited', 'turns', 'sessions', 'cost', 'tokens']}
        numbersFrom={2}
        rows={shown.map((row) => [
          <Safe key="name" text={projectWords(row.project)} />,
          <Share key="share" worked={row.workedMs / most} waited={row.waitedMs / most} />,
          spanOf(row.workedMs),
          spanOf(row.waitedMs),
          row.turns,
          row.sessions,
          row.costUsd === null ? '–' : dollars(row.costUsd),
          row.tokens === null ? '–' : shortCount(row.tokens.input + row.tokens.output),
        ])}
      />
      {more > 0 && <p className="dim">and {more} more; all of them are in the CSV.</p>}
    </section>
  )
}

/** Time worked and waited, side by side; the figures are beside it. */
function Share({ worked, waited }: { readonly worked: number; readonly waited: number }) {
  return (
    <svg className="share" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect className="share-worked" width={worked * 100} height="8" />
      <rect className="share-waited" x={worked * 100} width={waited * 100} height="8" />
    </svg>
  )
}

export function Kinds({ insight }: { readonly insight: Insight }) {
  const { answers } = insight
  if (answers.count === 0) return null
  return (
    <section className="card">
      <h2>How fast you answer</h2>
      <DataTable
        caption="how fast answers were given, by what was asked for"
        heads={['asked for', 'answers', 'median', '9 of 10 within']}
        rows={answers.byKind.map(({ kind, count, medianMs, p90Ms }) => [
          <Safe key="kind" text={kind} />,
          count,
          quickOf(medianMs),
          quickOf(p90Ms),
        ])}
      />
    </section>
  )
}

export function Waits({ insight }: { readonly insight: Insight }) {
  const now = useChosen((state) => Math.floor(state.now / 60_000) * 60_000)
  if (insight.longestWaits.length === 0) return null
  return (
    <section className="card">
      <h2>Longest waits</h2>
      <DataTable
        caption="the longest waits, the longest first"
        heads={['project', 'for', 'how long', 'since']}
        numbersFrom={2}
        rows={insight.longestWaits.map(({ session, project, kind, at, ms, open }) => [
          <a key="session" href={addressHash({ at: 'session', id: session, tab: 'timeline' })}>
            <Safe text={projectWords(project)} />
          </a>,
          <Safe key="kind" text={kind} />,
          open ? `${spanOf(ms)}, still` : spanOf(ms),
          dayAndTime(at, now).replace(/:\d\d$/, ''),
        ])}
      />
    </section>
  )
}
