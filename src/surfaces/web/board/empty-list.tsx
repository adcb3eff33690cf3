import { useEffect, useState } from 'react'
import { useChosen, useStore } from '../frame/use-store.ts'
import { Command } from '../parts/code.tsx'

/** An answer takes milliseconds; after this time the user should read a possible reason. */
const LATE_MS = 5_000

const LATE =
  'No answer yet. A browser allows six connections to a page: close other tabs of this page.'

function Asking() {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="blanks" role="status">
      <p className={late ? 'late' : 'unseen'}>{late ? LATE : 'waiting for the daemon'}</p>
      {PLACES.map((place) => (
        <div key={place} className="blank" />
      ))}
    </div>
  )
}

const PLACES = [0, 1, 2, 3, 4, 5]

/** An empty list: nothing has arrived yet, there are no sessions, or none matches the filter. */
export function EmptyList() {
  const store = useStore()
  const loading = useChosen(({ loading }) => loading)
  const filter = useChosen(({ filter }) => filter)
  const hidden = useChosen(({ dismissed }) => dismissed.size)
  if (loading) return <Asking />
  if (filter !== '' || hidden > 0)
    return (
      <div className="empty-list">
        <h2>No session matches the filter</h2>
        <p>{hidden > 0 ? `${hidden} dismissed until their state changes.` : null}</p>
        <button
          type="button"
          className="button"
          onClick={() => {
            store.send({ kind: 'filtered', filter: '', now: store.state.now })
            store.send({ kind: 'key', key: 'X', now: store.state.now, at: performance.now() })
          }}
        >
          Show all
        </button>
      </div>
    )
  return (
    <div className="empty-list">
      <h2>No agent is running</h2>
      <p>Start one, and it appears here. If it does not, this command shows why:</p>
      <Command text="vigil doctor" />
    </div>
  )
}
