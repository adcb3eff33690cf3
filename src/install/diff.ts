/** Lines of context around a change, as in `diff -u`. */
const CONTEXT = 3

/** Above this many cells the changed part is shown as replaced; no settings file is that long. */
const CELLS_MAX = 4_000_000

type Line = readonly [mark: ' ' | '-' | '+', text: string]

/** The difference of two texts in the format of `diff -u` and `patch`. */
export function unifiedDiff(path: string, before: string, after: string): string {
  const lines = compare(linesOf(before), linesOf(after))
  const changed = lines.flatMap(([mark], at) => (mark === ' ' ? [] : [at]))
  if (changed.length === 0) return ''
  return [`--- ${path}\n+++ ${path}\n`, ...hunksOf(changed, lines)].join('')
}

/**
 * Each line includes its line end, so that a missing newline at the end of a file is a difference.
 */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  const shorter = Math.min(before.length, after.length) - head
  while (tail < shorter && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const same = (part: readonly string[]): Line[] => part.map((line) => [' ', line])
  return [
    ...same(before.slice(0, head)),
    ...middle(before.slice(head, before.length - tail), after.slice(head, after.length - tail)),
    ...same(before.slice(before.length - tail)),
  ]
}

/** By the longest common subsequence. */
function middle(before: readonly string[], after: readonly string[]): Line[] {
  const width = after.length + 1
  const lengths = new Uint32Array(
    before.length * width > CELLS_MAX ? 0 : (before.length + 1) * width,
  )
  if (lengths.length > 0)
    for (let i = before.length - 1; i >= 0; i--)
      for (let j = after.length - 1; j >= 0; j--)
        lengths[i * width + j] =
          before[i] === after[j]
            ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
            : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0)
  const lines: Line[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const [old, next] = [before[i], after[j]]
    const below = lengths[(i + 1) * width + j] ?? 0
    if (old !== undefined && old === next && lengths.length > 0) {
      lines.push([' ', old])
      i++
      j++
    } else if (
      old !== undefined &&
      (next === undefined || below >= (lengths[i * width + j + 1] ?? 0))
    ) {
      lines.push(['-', old])
      i++
    } else {
      lines.push(['+', next ?? ''])
      j++
    }
  }
  return lines
}

function hunksOf(changed: readonly number[], lines: readonly Line[]): string[] {
  const spans: { from: number; to: number }[] = []
  for (const at of changed) {
    const last = spans.at(-1)
    if (last && at - last.to <= 2 * CONTEXT) last.to = at
    else spans.push({ from: at, to: at })
  }
  return spans.map(({ from, to }) => {
    const start = Math.max(0, from - CONTEXT)
    const part = lines.slice(start, to + CONTEXT + 1)
    const range = (mark: '-' | '+') => {
      const counts = (line: Line) => line[0] === ' ' || line[0] === mark
      const above = lines.slice(0, start).filter(counts).length
      const length = part.filter(counts).length
      return `${mark}${length === 0 ? above : above + 1},${length}`
    }
    return `@@ ${range('-')} ${range('+')} @@\n${part.map(lineText).join('')}`
  })
}

function lineText([mark, text]: Line): string {
  return text.endsWith('\n') ? mark + text : `${mark}${text}\n\\ No newline at end of file\n`
}
