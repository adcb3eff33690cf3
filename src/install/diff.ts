import { lineSteps } from '../edit/line-steps.ts'

/** Lines of context around a change, as in `diff -u`. */
const CONTEXT = 3

/** Above this many pairs the changed part is shown as replaced; no settings file is that long. */
const PAIRS_MAX = 4_000_000

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
  let [i, j] = [0, 0]
  return lineSteps(before, after, PAIRS_MAX).map((step) => {
    if (step === 'add') return ['+', after[j++] ?? '']
    if (step === 'same') j++
    return [step === 'del' ? '-' : ' ', before[i++] ?? '']
  })
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
