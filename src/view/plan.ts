/** SPEC VW22. The title of a plan: its first heading, or else its first line, without Markdown. */
export function planTitle(plan: string): string {
  const lines = plan.split(/\r\n?|\n/)
  // A `#` in a code block is a comment, not a heading.
  const fence = lines.findIndex((line) => FENCE.test(line))
  const prose = fence < 1 ? lines : lines.slice(0, fence)
  const said = prose.filter((line) => HAS_WORDS.test(line))
  return unmarked(said.find((line) => HEADING.test(line)) ?? said[0] ?? plan)
}

const FENCE = /^\s*(?:```|~~~)/
const HEADING = /^\s{0,3}#{1,6}\s/
const HAS_WORDS = /[\p{L}\p{N}]/u

/** Longer than any title, and short enough that no text can make parsing slow. */
const LINE_MAX = 1_000

function unmarked(line: string): string {
  return line
    .slice(0, LINE_MAX)
    .replace(/^[\s>]*(?:#{1,6}\s|[-+*]\s|\d{1,9}[.)]\s)?\s*/, '')
    .replace(/\s+#+\s*$/, '')
    .replace(/!?\[([^[\]]{0,200})\]\([^()]{0,200}\)/g, '$1')
    .replace(/`+|\*\*|__|~~/g, '')
    .replace(/(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu, '')
    .trim()
}
