import { useEffect, useRef } from 'react'
import { useChosen, useStore } from '../frame/use-store.ts'
import { Icon } from '../parts/icon.tsx'

const KEYS = [
  ['↑ ↓ k j', 'choose a session; PgUp, PgDn, Home, End go further'],
  ['1 – 9', 'choose by the number in front'],
  ['Enter', 'open it; what you have opened counts as read'],
  ['n', 'the one that has needed you longest; again, the one after'],
  ['f /', 'filter by name, branch, state, host; Esc ends it'],
  ['g', 'group by project, by host, not at all'],
  ['u', 'mark as read'],
  ['x X', 'dismiss until something happens to it; X brings all back'],
  ['c', 'list the closed ones, or fold them into one line'],
  ['w', 'why it is said to be what it is'],
  ['y', 'allow what it asks for, this once; approve its plan'],
  ['d', 'deny it, with a word to the agent if you like'],
  ['Esc', 'back'],
  ['?', 'this list'],
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
