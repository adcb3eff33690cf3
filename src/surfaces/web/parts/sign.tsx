import type { ReactNode } from 'react'
import { GLYPHS } from '../../../view/glyphs.ts'
import type { StateLook } from '../../../view/shape.ts'

const { waiting, error, stuck, idle, working, background, starting, closed, unreachable } =
  GLYPHS.emoji

/**
 * The view's glyphs as drawings: not every font has them, and some have them as coloured pictures.
 */
const DRAWN: Readonly<Record<string, ReactNode>> = {
  [waiting]: (
    <>
      <circle cx="8" cy="8" r="7.25" fill="currentColor" />
      <path d="M6.2 5.2v5.6M9.8 5.2v5.6" className="sign-inner" />
    </>
  ),
  [error]: (
    <>
      <circle cx="8" cy="8" r="7.25" fill="currentColor" />
      <path d="m5.6 5.6 4.8 4.8m0-4.8-4.8 4.8" className="sign-inner" />
    </>
  ),
  [stuck]: <circle cx="8" cy="8" r="5.75" className="sign-line" strokeDasharray="2.2 2.3" />,
  [idle]: <path d="m3.5 8.4 3 3 6-6.4" className="sign-line" />,
  [working]: (
    <>
      <circle cx="8" cy="8" r="5.75" className="sign-line sign-faint" />
      <path d="M8 2.25A5.75 5.75 0 0 1 13.75 8" className="sign-line" />
      <circle cx="8" cy="8" r="1.9" fill="currentColor" />
    </>
  ),
  [background]: (
    <>
      <circle cx="8" cy="8" r="5.75" className="sign-line sign-faint" />
      <circle cx="8" cy="8" r="1.9" fill="currentColor" />
    </>
  ),
  [starting]: <circle cx="8" cy="8" r="5.25" className="sign-line sign-faint" />,
  [unreachable]: (
    <>
      <circle cx="8" cy="8" r="5.25" className="sign-line sign-faint" />
      <path d="m4.4 11.6 7.2-7.2" className="sign-line sign-faint" />
    </>
  ),
  [closed]: <circle cx="8" cy="8" r="1.75" fill="currentColor" />,
}

/** The sign of a state in its colour. Its meaning is beside it in words. */
export function StateSign({ glyph, colour }: Pick<StateLook, 'glyph' | 'colour'>) {
  const drawn = DRAWN[glyph]
  return (
    <span className={`sign ink-${colour}`} aria-hidden="true">
      {drawn && (
        <svg viewBox="0 0 16 16" aria-hidden="true">
          {drawn}
        </svg>
      )}
      <span className={drawn ? 'unseen' : ''}>{glyph} </span>
    </span>
  )
}
