import { memo } from 'react'
import type { Session } from '../../../protocol/session.ts'
import { timeOfDay } from '../../../view/loop.ts'
import { isQuiet, type Shape, shapeOf, whereBeside } from '../../../view/shape.ts'
import { addressHash } from '../model/route.ts'
import { Safe } from '../parts/safe-text.tsx'
import { StateSign } from '../parts/sign.tsx'

interface RowProps {
  readonly session: Session
  /** 1 to 9 for the first visible sessions. */
  readonly number: number | null
  readonly selected: boolean
  readonly now: number
  readonly onChoose: (id: string) => void
}

/** One line of the list, from the description that every surface uses. */
export const SessionLine = memo(function SessionRow(props: RowProps) {
  const { session, number, selected, now, onChoose } = props
  const shape = shapeOf(session, now, timeOfDay)
  const { name, word, colour, age, what, needs, unread, mark } = shape
  const kind = `${needs ? 'needs' : isQuiet(shape) ? 'quiet' : ''}${unread ? ' unread' : ''}`
  return (
    <a
      className={`row ${kind}`}
      href={addressHash({ at: 'session', id: session.id, tab: 'now' })}
      data-id={session.id}
      tabIndex={selected ? 0 : -1}
      aria-current={selected}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        if (event.nativeEvent.isTrusted) onChoose(session.id)
      }}
    >
      <span className="row-number" aria-hidden="true">
        {number}
      </span>
      <StateSign glyph={shape.glyph} colour={colour} />
      <span className="row-name">
        {unread && <span className="unseen">{mark} unread, </span>}
        <strong>
          <Safe text={name} />
        </strong>
        <span className="row-where">
          <Safe text={whereBeside(shape)} />
        </span>
      </span>
      <span className="row-age">{age}</span>
      <span className="row-what">
        <span className={`row-word ink-${colour}`}>
          <Safe text={word} />
        </span>
        <span className="row-detail">
          <Safe text={what} />
        </span>
      </span>
      <span className="row-more">{moreOf(shape)}</span>
    </a>
  )
})

function moreOf({ machine, detached, loop, tasks, context }: Shape) {
  return [machine, detached, loop, tasks, context].flatMap((part) =>
    part === null ? [] : <span key={part}>{part}</span>,
  )
}
