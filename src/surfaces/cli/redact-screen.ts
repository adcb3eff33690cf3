import { INPUT_MARK, PLACEHOLDERS, RULE } from '../../agents/claude/screen-rules.ts'
import type { Hidden } from './redact-hidden.ts'

/** What the client itself writes and a screen is read by; any other word is somebody's. */
const WORDS = new Set(
  [
    'Waiting for permission to finish still running done Retrying in Running Try',
    'Press up to edit queued messages Exit plan mode Ready to code Would you like to proceed',
    'Do you want to Quick safety check Enter select submit your answers Esc cancel interrupt',
  ].flatMap((line) => line.split(' ')),
)

/** Letters and digits become x and 0, so that rules, marks, columns and statuses stay as drawn. */
export function redactScreen(text: string, hidden: Hidden): string {
  const lines = text.split('\n')
  return lines
    .map((line, at) => {
      const isInput = INPUT_MARK.test(line) && RULE.test(lines[at - 1] ?? '')
      return isInput ? inputLine(line, hidden) : masked(line)
    })
    .join('\n')
}

/** What is typed must be seen to change, even where the length does not. */
function inputLine(line: string, hidden: Hidden): string {
  const typed = line.slice(1).trim()
  if (PLACEHOLDERS.test(typed)) return masked(line)
  return `${line[0]} ${hidden.text(typed)}`
}

function masked(line: string): string {
  return line.replace(/[\p{L}\p{N}\p{M}_]+/gu, (word) =>
    WORDS.has(word) ? word : word.replace(/[0-9]/g, '0').replace(/[^0]/gu, 'x'),
  )
}
