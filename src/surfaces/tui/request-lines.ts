import type { OpenRequest } from '../../protocol/request.ts'
import { whatToShow } from '../../view/request.ts'
import { type ShownLine, shownLines } from '../../view/request-lines.ts'
import { spelled } from '../../view/safe.ts'
import type { StyledText, TerminalLine } from './picture.ts'
import { wrappedWhole } from './text.ts'

/** SPEC SH1. The whole request and what may be allowed with it, in lines of this width. */
export function requestLines(request: OpenRequest, width: number): readonly TerminalLine[] {
  const known = drawn.get(request)
  if (known?.width === width) return known.lines
  const lines = [
    ...askedLines(shownLines(whatToShow(request)), width),
    ...request.suggestions.flatMap(({ words }, i) =>
      wrappedLine('Y', `${i + 1}. ${spelled(words)}`, width, { dim: true }),
    ),
  ]
  drawn.set(request, { width, lines })
  return lines
}

/** Cached, because a request of many pages is drawn with every frame. */
const drawn = new WeakMap<
  OpenRequest,
  { readonly width: number; readonly lines: readonly TerminalLine[] }
>()

export function askedLines(lines: readonly ShownLine[], width: number): readonly TerminalLine[] {
  return lines.flatMap(({ sign, number = '', text }) => {
    const look = SIGNS[sign] ?? {}
    if (number === '') return wrappedLine(sign, text, width, look)
    const rest = wrappedLine(sign, text, width - number.length - 1, look)
    return rest.map(([first = { text: '' }, ...more], i): TerminalLine => {
      const shown = i === 0 ? number : ' '.repeat(number.length)
      return [first, { text: `${shown} `, dim: true }, ...more]
    })
  })
}

const SIGNS: Readonly<Record<string, Omit<StyledText, 'text'>>> = {
  '+': { colour: 'green' },
  '-': { colour: 'red' },
  $: { colour: 'yellow' },
  '?': { colour: 'yellow' },
  '!': { colour: 'magenta', bold: true },
}

function wrappedLine(sign: string, text: string, width: number, look: Omit<StyledText, 'text'>) {
  return wrappedWhole(text, Math.max(8, width - 2)).map(
    (part, i): TerminalLine => [
      { text: `${i === 0 ? sign : ''}`.padEnd(2), ...look },
      { text: part, ...look },
    ],
  )
}
