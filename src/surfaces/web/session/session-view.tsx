import { lazy, Suspense } from 'react'
import type { Session } from '../../../protocol/session.ts'
import { detailsOf, type SessionDetails } from '../../../view/board/board.ts'
import { timeOfDay } from '../../../view/loop.ts'
import { shapeOf, whereBeside } from '../../../view/shape.ts'
import { useChosen, useStore } from '../frame/use-store.ts'
import { addressHash, TABS, type Tab } from '../model/route.ts'
import { tabbed } from '../model/steps.ts'
import { Icon } from '../parts/icon.tsx'
import { Safe } from '../parts/safe-text.tsx'
import { StateSign } from '../parts/sign.tsx'
import { Changes } from './changes.tsx'
import { Detached } from './detached.tsx'
import { Now } from './now.tsx'
import { Why } from './why.tsx'

const Timeline = lazy(() =>
  import('../timeline/index.tsx').then((m) => ({ default: m.TimelineView })),
)
const PaneView = lazy(() => import('../pane/index.tsx').then((m) => ({ default: m.PaneView })))

/** Everything about one session. */
export function SessionView() {
  const store = useStore()
  const selected = useChosen(({ selected }) => selected)
  const session = useChosen(({ sessions, selected: id }) => sessions.get(id ?? ''))
  const loading = useChosen(({ loading }) => loading)
  const details = useChosen(detailsOf)
  const tab = useChosen(({ route }) => (route.at === 'session' ? route.tab : 'now'))
  const now = useChosen((state) => Math.floor(state.now / 1_000) * 1_000)
  if (!session)
    return (
      <article className="session" id="session" tabIndex={-1}>
        <p className="empty-list">{loading ? '' : selected === null ? '' : GONE}</p>
      </article>
    )
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: for keys, those that choose in the list
    <article
      className="session"
      id="session"
      tabIndex={-1}
      aria-labelledby="session-name"
      onClick={({ nativeEvent }) => {
        if (!nativeEvent.isTrusted || isControl(nativeEvent.target)) return
        store.send({ kind: 'pointed', session: session.id, at: performance.now() })
      }}
    >
      <Top session={session} now={now} />
      <Tabs session={session} tab={tab} />
      <div className="panel" role="tabpanel" id="panel" aria-labelledby={`tab-${tab}`}>
        <Suspense fallback={<p className="dim">…</p>}>
          <Panel session={session} details={details} tab={tab} now={now} />
        </Suspense>
      </div>
    </article>
  )
}

/** SPEC SH11. A click on a button does not choose the session: the next click would press it. */
function isControl(target: EventTarget | null): boolean {
  const control = target instanceof Element && target.closest('button, a, summary, [role="switch"]')
  return control !== null && control !== false && !control.closest('.subject')
}

const GONE = 'This session no longer exists.'

interface PanelProps {
  readonly session: Session
  readonly details: SessionDetails | null
  readonly tab: Tab
  readonly now: number
}

function Panel({ session, details, tab, now }: PanelProps) {
  if (tab === 'why') return <Why session={session} details={details} now={now} />
  if (tab === 'screen') return <PaneView session={session} />
  if (tab === 'now') return <Now key={session.id} session={session} details={details} now={now} />
  return (
    <>
      <Timeline session={session} />
      <Changes details={details} now={now} />
    </>
  )
}

/** Name and state, and the reason in one sentence. */
function Top({ session, now }: { readonly session: Session; now: number }) {
  const store = useStore()
  const shape = shapeOf(session, now, timeOfDay)
  const { name, word, colour, age, heard } = shape
  const beside = whereBeside(shape)
  const key = (letter: string) => () =>
    store.send({ kind: 'key', key: letter, now, at: performance.now() })
  return (
    <header className="top">
      <div className="top-line">
        <a className="icon-button back" href={addressHash({ at: 'board' })}>
          <Icon name="back" />
          <span className="unseen">all sessions</span>
        </a>
        <h1 id="session-name">
          <Safe text={name} />
          {beside !== '' && (
            <span className="where">
              <Safe text={beside} />
            </span>
          )}
        </h1>
        <span className="top-acts">
          {session.unread && (
            <button type="button" className="icon-button" title="read (u)" onClick={key('u')}>
              <Icon name="read" />
              <span className="unseen">mark as read</span>
            </button>
          )}
          <button type="button" className="icon-button" title="dismiss (x)" onClick={key('x')}>
            <Icon name="close" />
            <span className="unseen">hide until its state changes</span>
          </button>
        </span>
      </div>
      <p className="sentence">
        <span className={`badge ink-${colour} tint-${colour}`}>
          <StateSign glyph={shape.glyph} colour={colour} />
          <Safe text={word} />
        </span>
        for <span className="figure-text">{age}</span>
        {heard !== null && ` (${heard})`}, because <Safe text={session.reason} />
        {'\u00a0'}
        <span className="rule" title="the rule that decided">
          {session.rule}
        </span>
      </p>
      <Detached session={session} />
    </header>
  )
}

const NAMES: Readonly<Record<Tab, string>> = {
  now: 'Now',
  timeline: 'Timeline',
  why: 'Why',
  screen: 'Screen',
}

function Tabs({ session, tab }: { readonly session: Session; tab: Tab }) {
  const store = useStore()
  const shown = TABS.filter((one) => one !== 'screen' || session.tmuxPane !== null)
  const go = (to: Tab) => {
    const { effects } = tabbed({ ...store.state, selected: session.id }, to)
    for (const effect of effects) if (effect.do === 'go') location.hash = addressHash(effect.route)
  }
  const turn = (by: number) => {
    const to = shown[(shown.indexOf(tab) + by + shown.length) % shown.length] ?? 'now'
    go(to)
    document.getElementById(`tab-${to}`)?.focus()
  }
  return (
    <div className="tabs" role="tablist" aria-label="about the session">
      {shown.map((one) => (
        <button
          key={one}
          id={`tab-${one}`}
          type="button"
          role="tab"
          aria-selected={one === tab}
          aria-controls="panel"
          tabIndex={one === tab ? 0 : -1}
          onClick={() => go(one)}
          onKeyDown={({ key }) => {
            if (key === 'ArrowRight') turn(1)
            if (key === 'ArrowLeft') turn(-1)
          }}
        >
          {NAMES[one]}
        </button>
      ))}
    </div>
  )
}
