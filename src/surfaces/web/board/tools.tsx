import { GROUPS, type Grouping, sessionsIn } from '../../../view/board/rows.ts'
import { useChosen, useStore } from '../frame/use-store.ts'
import { Icon } from '../parts/icon.tsx'

const WORDS: Readonly<Record<Grouping, string>> = {
  nothing: 'All',
  project: 'Project',
  machine: 'Machine',
}

/** Search and grouping. */
export function Tools() {
  const store = useStore()
  const filter = useChosen(({ filter }) => filter)
  const group = useChosen(({ group }) => group)
  return (
    <div className="tools">
      <search className="search">
        <Icon name="search" />
        <label className="unseen" htmlFor="search">
          filter by name, branch, state, host
        </label>
        <input
          id="search"
          type="search"
          placeholder="Filter"
          autoComplete="off"
          spellCheck={false}
          value={filter}
          onChange={({ target }) =>
            store.send({ kind: 'filtered', filter: target.value, now: store.state.now })
          }
        />
        <kbd>/</kbd>
      </search>
      <Counted />
      <fieldset className="choice" aria-label="grouped by">
        {GROUPS.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={group === one}
            onClick={() => store.send({ kind: 'grouped', group: one, now: store.state.now })}
          >
            {WORDS[one]}
          </button>
        ))}
      </fieldset>
    </div>
  )
}

/** How many sessions a filter leaves, and how many were dismissed. */
function Counted() {
  const store = useStore()
  const shown = useChosen(({ list }) => sessionsIn(list).length)
  const all = useChosen(({ sessions }) => sessions.size)
  const hidden = useChosen(({ dismissed }) => dismissed.size)
  if (shown === all) return null
  return (
    <p className="counted">
      {shown} of {all}
      {hidden > 0 && (
        <button
          type="button"
          className="link"
          onClick={() =>
            store.send({ kind: 'key', key: 'X', now: store.state.now, at: performance.now() })
          }
        >
          {hidden} dismissed
        </button>
      )}
    </p>
  )
}
