import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { OpenRequest } from '../../../protocol/request.ts'
import { useStore } from '../frame/use-store.ts'
import { Safe } from '../parts/safe-text.tsx'
import { allowing, denying } from './draft.ts'
import { type Answering, useSettled } from './use-answering.ts'
import { WhyNot } from './why-not.tsx'

interface DecisionProps {
  readonly request: OpenRequest
  readonly answering: Answering
  readonly hasKeys: boolean
}

const WORDS = {
  permission: { yes: 'Allow once', no: 'Deny', why: 'Message to the agent (optional)' },
  plan: { yes: 'Approve', no: 'Reject', why: 'What to change (optional)' },
} as const

/** Allow, allow permanently in one of the client's own ways, or deny with a message. */
export function DecisionForm({ request, answering, hasKeys }: DecisionProps) {
  const { kind, suggestions } = request
  const words = WORDS[kind === 'plan' ? 'plan' : 'permission']
  const { ready, allows, why, send } = answering
  const [denies, setDenies] = useState(false)
  const store = useStore()
  useKeys(
    useSettled(hasKeys) && ready,
    () => {
      if (allows) send(allowing())
      else if (why !== null) store.send({ kind: 'notice', text: why, tone: 'plain' })
    },
    () => setDenies(true),
  )
  if (!answering.answerable) return null
  if (denies) return <Denial words={words} answering={answering} onBack={() => setDenies(false)} />
  return (
    <div className="acts">
      <WhyNot answering={answering} />
      <button
        type="button"
        className="button primary"
        disabled={!allows}
        onClick={meant(() => send(allowing()))}
      >
        {words.yes} <kbd>y</kbd>
      </button>
      {suggestions.map(({ index, words: said }) => (
        <button
          key={index}
          type="button"
          className="button"
          disabled={!allows}
          onClick={meant(() => send(allowing(index)))}
        >
          <Safe text={said} />
        </button>
      ))}
      <button
        type="button"
        className="button danger"
        disabled={!ready}
        onClick={() => setDenies(true)}
      >
        {words.no} <kbd>d</kbd>
      </button>
    </div>
  )
}

/** SPEC SH10. Only events that a person caused. */
function meant(act: () => void) {
  return ({ nativeEvent }: { readonly nativeEvent: globalThis.Event }) => {
    if (nativeEvent.isTrusted) act()
  }
}

/**
 * The model reports keys; the component that shows the request knows their meaning. The field for a
 * message exists before the next key arrives: a letter of the message must not be taken for a
 * command.
 */
function useKeys(ready: boolean, allow: () => void, deny: () => void): void {
  const store = useStore()
  useEffect(() => {
    return store.onEffect((effect) => {
      if (effect.do !== 'allow' && effect.do !== 'deny') return
      if (!ready) return
      if (effect.do === 'allow') allow()
      else flushSync(deny)
    })
  })
}

interface DenialProps {
  readonly words: (typeof WORDS)[keyof typeof WORDS]
  readonly answering: Answering
  readonly onBack: () => void
}

const WORD_MAX = 2_000

function Denial({ words, answering, onBack }: DenialProps) {
  const [word, setWord] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  const send = () => answering.send(denying(word))
  return (
    <form
      className="denial"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <label>
        <span>{words.why}</span>
        <textarea
          ref={field}
          rows={2}
          maxLength={WORD_MAX}
          value={word}
          onChange={({ target }) => setWord(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onBack()
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            send()
          }}
        />
      </label>
      <div className="acts">
        <button type="submit" className="button danger solid" disabled={!answering.ready}>
          {words.no}
        </button>
        <button type="button" className="button" onClick={onBack}>
          Back
        </button>
      </div>
    </form>
  )
}
