/** How much narrower than its dialog a text may be drawn: its margins, and a bar beside it. */
const MARGINS = 8

/** The client draws these differently: readers, and this comparison, would see another text. */
const UNSEEN = /[^\P{C}\n]| $| \n/mu

/**
 * SPEC AN33. Whether these lines are this whole text, wrapped where its own lines end and where the
 * next word has no room. A word that is itself broken could be two words, so it does not match.
 */
export function isDrawn(text: string, lines: readonly string[], width: number): boolean {
  if (UNSEEN.test(text) || lines.length === 0) return false
  let rest = text
  for (const [place, line] of lines.entries()) {
    if (!rest.startsWith(line)) return false
    rest = rest.slice(line.length)
    const next = lines[place + 1]
    if (next === undefined) break
    const word = /^ ?\S*/.exec(next)?.[0] ?? ''
    const isFull = line.length + 1 + word.length > width - MARGINS
    if (rest.startsWith('\n')) rest = rest.slice(1)
    else if (!isFull || !rest.startsWith(' ')) return false
    // 2.1.100 and older begin the next line with the blank at which they wrapped.
    else if (!next.startsWith(' ')) rest = rest.slice(1)
  }
  return rest === ''
}

/** The newest client draws a bar beside a text of several lines. */
export function withoutBars(lines: readonly string[]): readonly string[] {
  const isBarred = lines.length > 0 && lines.every((line) => /^│( |$)/.test(line))
  return isBarred ? lines.map((line) => line.slice(2)) : lines
}

/** Without this indentation; nothing where a line has less. */
export function outdented(lines: readonly string[], by: number): readonly string[] | undefined {
  const margin = ' '.repeat(by)
  const isSo = lines.every((line) => line === '' || line.startsWith(margin))
  return isSo ? lines.map((line) => line.slice(by)) : undefined
}

/** The lines of a screen, without those at its end that are empty. */
export function screenLines(screen: string): readonly string[] {
  const lines = screen.split('\n').map((line) => line.trimEnd())
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
}
