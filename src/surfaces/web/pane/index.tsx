import './pane.css'
import { useEffect, useRef, useState } from 'react'
import type { PaneInput, TypingView } from '../../../protocol/pane.ts'
import type { Session } from '../../../protocol/session.ts'
import { useArmed } from '../answer/use-answering.ts'
import { api, sessionPath } from '../api.ts'
import { useStore } from '../frame/use-store.ts'
import { whyUnarmed } from '../model/arming.ts'
import { Controls } from './controls.tsx'
import { KeySender } from './key-sender.ts'
import { useFrame } from './use-frame.ts'
import { usePane } from './use-pane.ts'

interface PaneProps {
  readonly session: Session
}

/** The live screen of a session's pane; typing into it has its own switch. */
export function PaneView({ session }: PaneProps) {
  return <Watched key={session.id} session={session} />
}

function Watched({ session }: PaneProps) {
  const { id } = session
  const [trouble, setTrouble] = useState<string>()
  const typist = useRef<KeySender>(null)
  typist.current ??= new KeySender(id, setTrouble)
  const store = useStore()
  const armed = useArmed(id)
  const type = (typed: readonly PaneInput[]) => {
    if (whyUnarmed(store.state.arming, id, performance.now()) === null) typist.current?.type(typed)
  }
  const { ref, highPx, show } = useFrame(type, (told) => {
    const at = performance.now()
    const isHere = store.state.arming.hereSince !== null
    if (told.kind === 'pointed') store.send({ kind: 'pointed', session: id, at })
    else if (told.kind === 'left') store.send({ kind: 'attention', here: false, at })
    else if (!isHere) store.send({ kind: 'attention', here: document.hasFocus(), at })
  })
  const pane = usePane(id, show)
  const isOn = pane.typing?.on === true
  // SPEC SH10. Keys typed after another window had the focus are dropped.
  useEffect(() => show({ kind: 'open', on: isOn && armed }), [show, isOn, armed])

  const turn = async (on: boolean) => {
    setTrouble(undefined)
    try {
      const body = { on, where: 'page' }
      const view = await api.post<TypingView>(sessionPath(id, 'typing'), body)
      pane.setTyping(view)
    } catch (error) {
      setTrouble((error as Error).message)
    }
  }

  return (
    <section className="pane" aria-label="terminal">
      <Controls
        session={session}
        pane={pane}
        onTurn={(on) => void turn(on)}
        armed={armed}
        onKey={(key) => type([{ key }])}
        trouble={trouble}
        onTrouble={setTrouble}
      />
      <iframe
        ref={ref}
        src="/pane.html"
        // Its own origin only for its own files: it opens, submits and downloads nothing.
        sandbox="allow-scripts allow-same-origin"
        className="pane-frame"
        title={isOn ? 'terminal: your keys go to the agent' : 'terminal, read-only'}
        tabIndex={isOn ? 0 : -1}
        hidden={pane.size === undefined}
        style={{ blockSize: `${highPx}px` }}
      />
      <Words words={pane.words} />
    </section>
  )
}

/** For screen readers, and for copying. */
function Words({ words }: { readonly words: readonly string[] }) {
  return (
    <details className="pane-words">
      <summary>As text</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must scroll it too */}
      <pre tabIndex={0}>{words.join('\n').trimEnd()}</pre>
    </details>
  )
}
