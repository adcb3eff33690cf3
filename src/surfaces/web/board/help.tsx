import { useEffect, useRef } from 'react'
import { useChosen, useStore } from '../frame/use-store.ts'
import { Icon } from '../parts/icon.tsx'

const KEYS = [
  ['↑ ↓ k j', 'choose a session; PgUp, PgDn, Home, End go further'],
  ['1 – 9', 'choose by the number in front'],
  ['Enter', 'open it and mark it as read'],
  ['n', 'choose the session that has waited for you longest; again for the next'],
  ['f /', 'filter by name, branch, state, host; Esc clears it'],
  ['g', 'group by project, by machine, not at all'],
  ['u', 'mark as read'],
  ['x X', 'dismiss it until its state changes; X shows all again'],
  ['c', 'list the closed sessions, or fold them into one line'],
  ['w', 'show why it is in its state'],
  ['y', 'allow its request once; approve its plan'],
  ['d', 'deny it, with an optional message to the agent'],
  ['Esc', 'back'],
  ['?', 'show or hide this list'],
] as const

export function Help() {
  const store = useStore()
  const help = useChosen(({ help }) => help)
  const dialog = useRef<HTMLDialogElement>(null)
  const close = () => store.send({ kind: 'help', help: false })
  useEffect(() => {
    if (help) dialog.current?.showModal()
    else dialog.current?.close()
  }, [help])
  return (
    <dialog
      ref={dialog}
      className="help"
      aria-labelledby="help-title"
      onClose={close}
      onKeyDown={(event) => {
        // The browser would close it a moment later, and swallow the keys until then.
        if (event.key !== 'Escape' && event.key !== '?') return
        event.preventDefault()
        close()
      }}
    >
      <header>
        <h2 id="help-title">Keys</h2>
        <button type="button" className="icon-button" onClick={close}>
          <Icon name="close" />
          <span className="unseen">close</span>
        </button>
      </header>
      <dl>
        {KEYS.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (key === '–' ? ' – ' : <kbd key={key}>{key}</kbd>))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  )
}
