import { lazy, Suspense, useEffect, useState } from 'react'
import { Head } from '../board/head.tsx'
import { Help } from '../board/help.tsx'
import { List } from '../board/list.tsx'
import { Tools } from '../board/tools.tsx'
import { keyOfBrowser, onKey } from '../key.ts'
import { SessionView } from '../session/session-view.tsx'
import { SignIn } from './sign-in.tsx'
import { usePage } from './use-page.ts'
import { StoreContext, useChosen } from './use-store.ts'

const InsightView = lazy(() =>
  import('../insight/index.tsx').then((m) => ({ default: m.InsightView })),
)

/** The page if the browser is signed in, otherwise the way to sign in. */
export function App(props: { readonly code: string | null }) {
  const [code, setCode] = useState(props.code)
  const [signedIn, setSignedIn] = useState(() => keyOfBrowser() !== null && code === null)
  useEffect(
    () =>
      onKey((now) => {
        setSignedIn(now)
        // A browser that is signed out later does not try the code again.
        if (now) setCode(null)
      }),
    [],
  )
  return signedIn ? <Page /> : <SignIn code={code} />
}

function Page() {
  const store = usePage()
  return (
    <StoreContext value={store}>
      <Frame />
    </StoreContext>
  )
}

function Frame() {
  const at = useChosen(({ route }) => route.at)
  const lost = useChosen(({ lostSince }) => lostSince !== null)
  return (
    <div className={`frame at-${at} ${lost ? 'is-lost' : ''}`}>
      <Head />
      {at === 'insight' ? (
        <main className="whole">
          <Suspense fallback={<p className="dim">…</p>}>
            <InsightView />
          </Suspense>
        </main>
      ) : (
        <main className="halves">
          <section className="board" aria-label="sessions">
            <Tools />
            <List />
          </section>
          <SessionView />
        </main>
      )}
      <Help />
      <Said />
    </div>
  )
}

/** Notices on the screen and, with sessions that begin to wait, for screen readers. */
function Said() {
  const notice = useChosen(({ notice }) => notice)
  const said = useChosen(({ said }) => said)
  return (
    <>
      <div className={`notice ${notice ? 'shown' : ''} ${notice?.tone ?? ''}`} aria-hidden="true">
        {notice?.text}
      </div>
      <div className="unseen" role="status" aria-live="polite">
        {said}
      </div>
    </>
  )
}
