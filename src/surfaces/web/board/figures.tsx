import type { Session } from '../../../protocol/session.ts'
import { figuresOf, summaryOf } from '../../../view/summary.ts'
import { StateSign } from '../parts/sign.tsx'

/** How many sessions are in which state; kinds without a session are left out. */
export function FigureList({ sessions }: { readonly sessions: readonly Session[] }) {
  const figures = figuresOf(summaryOf(sessions)).filter(({ count }) => count > 0)
  return (
    <ul className="figures" aria-label="how many">
      {figures.map(({ glyph, count, word, colour }) => (
        <li key={word} className={`figure ink-${colour}`}>
          <StateSign glyph={glyph} colour={colour} />
          <strong>{count}</strong> <span>{word}</span>
        </li>
      ))}
    </ul>
  )
}
