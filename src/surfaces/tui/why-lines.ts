import type { Session } from '../../protocol/session.ts'
import { ageOf, colourOf, glyphOf, wordsOf } from '../../view/session.ts'
import type { Line } from './picture.ts'
import type { Details } from './state.ts'
import { wrapped } from './text.ts'

/** Why the session is said to be what it is, as `vigil why` tells it. */
export function whyLines(
  session: Session,
  details: Details | null,
  now: number,
  width: number,
): readonly Line[] {
  const known = details?.id === session.id ? details.explanation : null
  const ago = (at: number) => `${ageOf(now - at)} ago`
  const { grounds = [], wouldChange = [], heard = {}, history = [] } = known ?? {}
  return [
    ...text(`rule ${session.rule}: ${session.reason}`, width),
    ...section(
      'It rests on',
      grounds.map(({ source, saw, at }) => `${source} saw ${saw}, ${ago(at)}`),
      width,
    ),
    ...section('What would change it', wouldChange, width),
    ...section(
      'Last heard of it',
      Object.entries(heard)
        .sort(([, a], [, b]) => b - a)
        .map(([source, at]) => `${source.padEnd(10)} ${ago(at)}`),
      width,
    ),
    ...(history.length === 0 ? [] : [[], [{ text: 'The last changes', dim: true }]]),
    ...history.map(
      ({ t, verdict }): Line => [
        { text: `  ${ago(t).padStart(10)}  ` },
        { text: `${glyphOf(verdict)} ${wordsOf(verdict)}`.padEnd(28), colour: colourOf(verdict) },
        { text: verdict.rule, dim: true },
      ],
    ),
  ]
}

function section(title: string, lines: readonly string[], width: number): readonly Line[] {
  if (lines.length === 0) return []
  return [[], [{ text: title, dim: true }], ...lines.flatMap((line) => text(`  ${line}`, width))]
}

function text(words: string, width: number): readonly Line[] {
  return wrapped(words, width, 4).map((line) => [{ text: line }])
}
