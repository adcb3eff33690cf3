import { api } from '../api.ts'
import { useStore } from '../frame/use-store.ts'
import { Command } from '../parts/code.tsx'

interface InTmuxProps {
  readonly id: string
  readonly own: boolean
  readonly command: string | null
}

/**
 * SPEC PG31. How to get to the pane: a button that shows it in the terminal, or a command to copy.
 * SPEC FL91. A terminal of another machine would be switched there, out of sight.
 */
export function InTmux({ id, own, command }: InTmuxProps) {
  const store = useStore()
  const jump = () => {
    api
      .post(`/v1/sessions/${encodeURIComponent(id)}/jump`, {})
      .then(() => store.send({ kind: 'notice', text: 'shown in your terminal', tone: 'plain' }))
      .catch((error: Error) => store.send({ kind: 'notice', text: error.message, tone: 'bad' }))
  }
  return (
    <span className="in-tmux">
      {own && (
        <button type="button" className="button" onClick={jump}>
          Show it there
        </button>
      )}
      {command !== null && <Command text={command} />}
    </span>
  )
}
