import type { Hidden } from './redact-hidden.ts'
import type { Rules } from './redact-rules.ts'

/** Letters and digits become x and 0, so that rules, marks, columns and statuses stay as drawn. */
export function redactScreen(text: string, hidden: Hidden, rules: Rules): string {
  const lines = text.split('\n')
  return lines
    .map((line, at) => {
      const input = rules.own.screen.typedIn?.(line, lines[at - 1] ?? '')
      return input ? `${input.before}${hidden.text(input.typed)}` : masked(line, rules)
    })
    .join('\n')
}

/** Words of the agent's own that a screen is recognised by stay; any other word is hidden. */
function masked(line: string, rules: Rules): string {
  return line.replace(/[\p{L}\p{N}\p{M}_]+/gu, (word) =>
    rules.isScreenWord(word) ? word : word.replace(/[0-9]/g, '0').replace(/[^0]/gu, 'x'),
  )
}
