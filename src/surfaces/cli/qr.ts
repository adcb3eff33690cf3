import { encode } from 'uqr'
import { ownSequence } from './output.ts'

/**
 * Brighter than the white of most terminals, so that a camera sees black on white in every theme.
 */
const BLACK_ON_WHITE = ['38;5;16', '48;5;231']
const AS_BEFORE = '0'

/** The margin that readers expect; two rows make one line. */
const QUIET = 4

/** A QR code with two rows in each line. Without colours it is for a dark terminal. */
export function qrLines(text: string, { colours }: { readonly colours: boolean }): string[] {
  const { data, size } = encode(text, { ecc: 'L', border: QUIET })
  const before = BLACK_ON_WHITE.map(ownSequence).join('')
  const lines: string[] = []
  for (let row = 0; row < size; row += 2) {
    const [above = [], below = []] = [data[row], data[row + 1]]
    const cells = above.map((isDark, at) =>
      cell(isDark === colours, (below[at] ?? false) === colours),
    )
    const line = cells.join('')
    lines.push(colours ? `${before}${line}${ownSequence(AS_BEFORE)}` : line)
  }
  return lines
}

/** Without colours the modules are inverted for the dark background. */
function cell(above: boolean, below: boolean): string {
  if (above) return below ? '█' : '▀'
  return below ? '▄' : ' '
}
