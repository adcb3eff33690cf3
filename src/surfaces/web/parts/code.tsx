import { useState } from 'react'
import { Icon } from './icon.tsx'
import { Long } from './safe-text.tsx'

interface CodeProps {
  readonly text: string
  readonly sign?: string
  readonly label: string
}

/** A command or a file's text: letter by letter in logical order, whatever its script. */
export function Code({ text, sign, label }: CodeProps) {
  return (
    <section className="code" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must scroll it too */}
      <pre tabIndex={0} data-scrolls>
        {sign && (
          <span className="code-sign" aria-hidden="true">
            {sign}{' '}
          </span>
        )}
        <code>
          <Long text={text} />
        </code>
      </pre>
      <CopyButton text={text} what={label} />
    </section>
  )
}

interface CopyProps {
  readonly text: string
  readonly what: string
}

const SHOWN_MS = 1_500

function CopyButton({ text, what }: CopyProps) {
  const [done, setDone] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setDone(true)
    setTimeout(() => setDone(false), SHOWN_MS)
  }
  return (
    <button type="button" className="icon-button copy" title="copy" onClick={() => void copy()}>
      <Icon name={done ? 'done' : 'copy'} />
      <span className="unseen">{done ? 'copied' : `copy ${what}`}</span>
    </button>
  )
}

/** A command for the user's own terminal. */
export function Command({ text }: { readonly text: string }) {
  return (
    <span className="command">
      <code>{text}</code>
      <CopyButton text={text} what="the command" />
    </span>
  )
}
