import { useState } from 'react'
import { warningOf } from '../../../view/board/news.ts'
import { type Notifying, notifying, switchNotifying } from '../frame/notifier.ts'
import { setTheme, storedTheme, THEMES } from '../frame/theme.ts'
import { useChosen, useStore } from '../frame/use-store.ts'
import { addressHash } from '../model/route.ts'
import { Icon } from '../parts/icon.tsx'
import { Safe } from '../parts/safe-text.tsx'
import { FigureList } from './figures.tsx'

/** The head of the page: how many sessions are in which state, and notices about the page. */
export function Head() {
  const store = useStore()
  const at = useChosen(({ route }) => route.at)
  return (
    <header className="head">
      <a className="brand" href={addressHash({ at: 'board' })}>
        <Eye />
        vigil
      </a>
      <Figures />
      <nav className="head-acts" aria-label="page">
        <a
          className="icon-button"
          href={addressHash({ at: at === 'insight' ? 'board' : 'insight' })}
          title={at === 'insight' ? 'sessions' : 'insight'}
        >
          <Icon name={at === 'insight' ? 'board' : 'chart'} />
          <span className="unseen">{at === 'insight' ? 'sessions' : 'insight'}</span>
        </a>
        <NotifyButton />
        <ThemeButton />
        <button
          type="button"
          className="icon-button"
          title="keys (?)"
          onClick={() => store.send({ kind: 'help', help: true })}
        >
          <Icon name="help" />
          <span className="unseen">keys</span>
        </button>
      </nav>
    </header>
  )
}

function Eye() {
  return (
    <svg className="eye" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M2 12c3.2-5 6.4-7 10-7s6.8 2 10 7c-3.2 5-6.4 7-10 7s-6.8-2-10-7z" />
      <circle cx="12" cy="12" r="3.2" />
    </svg>
  )
}

/** An ordinary restart takes less; after a restart of the machine the page has another address. */
const LOST_LONG_MS = 15_000

/** The same figures as everywhere; while the daemon is lost, a note that they are old. */
function Figures() {
  const sessions = useChosen(({ sessions }) => sessions)
  const lostSince = useChosen(({ lostSince }) => lostSince)
  const warning = useChosen(warningOf)
  const isLong = useChosen(({ now }) => lostSince !== null && now - lostSince > LOST_LONG_MS)
  return (
    <>
      {warning !== null && (
        <p className="lost" role="status">
          <Safe text={warning} />
          {isLong && '; if this stays, sign in again with `vigil open`'}
        </p>
      )}
      {lostSince === null && <FigureList sessions={[...sessions.values()]} />}
    </>
  )
}

const NOTIFYING: Readonly<Record<Notifying, string>> = {
  on: 'notifications of this browser are on',
  off: 'turn on notifications of this browser',
  denied: 'notifications of this page are blocked in this browser’s settings',
  impossible: 'this browser does not support notifications here',
}

function NotifyButton() {
  const [state, setState] = useState(notifying)
  const isOn = state === 'on'
  return (
    <button
      type="button"
      className="icon-button"
      title={NOTIFYING[state]}
      aria-pressed={isOn}
      disabled={state === 'denied' || state === 'impossible'}
      onClick={() => void switchNotifying(!isOn).then(setState)}
    >
      <Icon name={isOn ? 'bell' : 'bell-off'} />
      <span className="unseen">notifications</span>
    </button>
  )
}

function ThemeButton() {
  const [theme, setShown] = useState(storedTheme)
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto'
  return (
    <button
      type="button"
      className="icon-button"
      title={`colours: ${theme}`}
      onClick={() => {
        setTheme(next)
        setShown(next)
      }}
    >
      <Icon name={theme} />
      <span className="unseen">colours: {theme}</span>
    </button>
  )
}
