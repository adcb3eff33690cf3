import { type FormEvent, useState } from 'react'
import type { Session } from '../../../protocol/session.ts'
import { abilitiesOf } from '../../../view/board/abilities.ts'
import { api, sessionPath } from '../api.ts'
import type { Pane } from './use-pane.ts'

interface ControlsProps {
  readonly session: Session
  readonly pane: Pane
  /** The user chose its session on purpose. */
  readonly armed: boolean
  readonly onTurn: (on: boolean) => void
  readonly onKey: (key: string) => void
  readonly trouble: string | undefined
  readonly onTrouble: (why: string | undefined) => void
}

/** Keys that a phone does not have. */
const KEYS: readonly (readonly [key: string, sign: string, name: string])[] = [
  ['Escape', 'Esc', 'Escape'],
  ['Tab', 'Tab', 'Tab'],
  ['BTab', '⇧Tab', 'Shift and Tab'],
  ['Up', '↑', 'up'],
  ['Down', '↓', 'down'],
  ['Left', '←', 'left'],
  ['Right', '→', 'right'],
  ['Enter', '⏎', 'Enter'],
  ['C-c', '^C', 'Control and C'],
]

/** Above the terminal: its name, whether typing is allowed, and what can be sent. */
export function Controls(props: ControlsProps) {
  const { pane, armed, onTurn, onKey, trouble } = props
  const isOn = pane.typing?.on === true
  return (
    <header className="pane-head">
      <div className="pane-line">
        <p className="pane-state">{stateOf(pane)}</p>
        {pane.why !== undefined && (
          <button type="button" className="pane-button" onClick={pane.again}>
            Try again
          </button>
        )}
        <button
          type="button"
          role="switch"
          className="pane-switch"
          aria-checked={isOn}
          disabled={pane.size === undefined || !(armed || isOn)}
          onClick={() => onTurn(!isOn)}
        >
          <span className="pane-knob" aria-hidden="true" />
          Type into this terminal
        </button>
      </div>
      {!armed && pane.size !== undefined && (
        <p className="pane-note">To type, click here first, or choose the session with ↑ ↓.</p>
      )}
      {isOn && (
        <>
          <p className="pane-note">
            Your keys go to this agent’s terminal until the session ends or you turn this off. vigil
            logs that you type, and the prompts you send.
          </p>
          <Prompt {...props} />
          <div className="pane-keys" role="toolbar" aria-label="keys">
            {KEYS.map(([key, sign, name]) => (
              <button
                key={key}
                type="button"
                className="pane-button"
                aria-label={name}
                disabled={!armed}
                onClick={() => onKey(key)}
              >
                {sign}
              </button>
            ))}
          </div>
        </>
      )}
      <p className="pane-trouble" role="status">
        {trouble}
      </p>
    </header>
  )
}

function stateOf({ size, why, typing }: Pane): string {
  if (why !== undefined) return why
  if (size === undefined) return 'connecting …'
  const by = typing?.on ? `typing allowed by ${typing.by}` : 'read-only'
  return `live · ${size.width} × ${size.height} · ${by}`
}

/** A whole prompt for an idle session; a working session can be interrupted. */
function Prompt({ session, armed, onTrouble }: ControlsProps) {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const { id } = session
  const { prompt, interrupt } = abilitiesOf(session, null)
  const act = async (part: 'prompt' | 'interrupt', body: object) => {
    setBusy(true)
    onTrouble(undefined)
    try {
      await api.post(sessionPath(id, part), { ...body, where: 'page' })
      if (part === 'prompt') setText('')
    } catch (error) {
      onTrouble((error as Error).message)
    } finally {
      setBusy(false)
    }
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (armed && text.trim() !== '') void act('prompt', { text })
  }
  return (
    <form className="pane-prompt" onSubmit={send}>
      <label className="pane-label">
        <span className="unseen">a prompt to this agent</span>
        <textarea
          rows={2}
          value={text}
          placeholder={prompt ?? 'A prompt …'}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send(event)
          }}
        />
      </label>
      <div className="pane-acts">
        <button
          type="submit"
          className="pane-button pane-send"
          disabled={busy || prompt !== null || !armed}
        >
          Send
        </button>
        <button
          type="button"
          className="pane-button"
          disabled={busy || interrupt !== null || !armed}
          onClick={() => void act('interrupt', {})}
        >
          Interrupt
        </button>
      </div>
    </form>
  )
}
