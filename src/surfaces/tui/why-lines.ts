import { detachedLine } from '../../core/words.ts'
import type { Session } from '../../protocol/session.ts'
import type { SessionDetails } from '../../view/board/board.ts'
import { changesShown } from '../../view/changes.ts'
import { ageOf, colourOf, glyphOf, wordsOf } from '../../view/session.ts'
import type { TerminalLine } from './picture.ts'
import { wrapped } from './text.ts'

/** The reasons of the session's state, as in `vigil why`. */
export function whyLines(
  session: Session,
  details: SessionDetails | null,
  now: number,
  width: number,
): readonly TerminalLine[] {
  const ago = (at: number) => `${ageOf(now - at)} ago`
  const { grounds = [], wouldChange = [], heard = {}, history = [] } = details?.explanation ?? {}
  return [
    ...text(`rule ${session.rule}: ${session.reason}`, width),
    ...text(detachedLine(session) ?? '', width),
    ...section(
      'Decided by',
      grounds.map(({ source, saw, at }) => `${source} reported ${saw}, ${ago(at)}`),
      width,
    ),
    ...section('What would change it', wouldChange, width),
    ...section(
      'Last reports',
      Object.entries(heard)
        .sort(([, a], [, b]) => b - a)
        .map(([source, at]) => `${source.padEnd(10)} ${ago(at)}`),
      width,
    ),
    ...(history.length === 0 ? [] : [[], [{ text: 'Last changes', dim: true }]]),
    ...changesShown(history).map(
      ({ t, verdict }): TerminalLine => [
        { text: `  ${ago(t).padStart(10)}  ` },
        { text: `${glyphOf(verdict)} ${wordsOf(verdict)}`.padEnd(28), colour: colourOf(verdict) },
        { text: verdict.rule, dim: true },
      ],
    ),
  ]
}

function section(title: string, lines: readonly string[], width: number): readonly TerminalLine[] {
  if (lines.length === 0) return []
  return [[], [{ text: title, dim: true }], ...lines.flatMap((line) => text(`  ${line}`, width))]
}

function text(words: string, width: number): readonly TerminalLine[] {
  return wrapped(words, width, 4).map((line) => [{ text: line }])
}
