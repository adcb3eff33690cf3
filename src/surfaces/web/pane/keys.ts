import type { PaneInput } from '../../../protocol/pane.ts'

/**
 * Turns a terminal's bytes back into keys: tmux knows how the program in the pane wants them. Bytes
 * without a name here are not keys that a user pressed, and are dropped.
 */
export function keysIn(data: string): PaneInput[] {
  return [...data.matchAll(PARTS)].flatMap(([part]): PaneInput[] => {
    const key = NAMES[part] ?? controlOf(part) ?? altOf(part)
    if (key !== undefined) return [{ key }]
    return CONTROL.test(part) ? [] : [{ text: part }]
  })
}

const PARTS = new RegExp(
  [
    '\x1b\\[[ -?]*[@-~]',
    '\x1bO[A-Za-z]',
    '\x1b[\\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\)?',
    '\x1b[^\x1b]?',
    '\\p{Cc}',
    '\\P{Cc}+',
  ].join('|'),
  'gsu',
)
const CONTROL = /^\p{Cc}/u

const ARROWS = { A: 'Up', B: 'Down', C: 'Right', D: 'Left' } as const

const NAMES: Readonly<Record<string, string>> = {
  '\r': 'Enter',
  '\n': 'Enter',
  '\t': 'Tab',
  '\x1b': 'Escape',
  '\x7f': 'BSpace',
  '\b': 'BSpace',
  '\x1b[Z': 'BTab',
  '\x1b[H': 'Home',
  '\x1bOH': 'Home',
  '\x1b[F': 'End',
  '\x1bOF': 'End',
  '\x1b[3~': 'DC',
  '\x1b[5~': 'PPage',
  '\x1b[6~': 'NPage',
  '\x1b\r': 'M-Enter',
  '\x1b\x7f': 'M-BSpace',
  '\x1b[1;3C': 'M-Right',
  '\x1b[1;3D': 'M-Left',
  ...Object.fromEntries(
    Object.entries(ARROWS).flatMap(([letter, name]) => [
      [`\x1b[${letter}`, name],
      [`\x1bO${letter}`, name],
      [`\x1b[1;5${letter}`, `C-${name}`],
    ]),
  ),
}

function controlOf(part: string): string | undefined {
  const code = part.charCodeAt(0)
  if (part.length !== 1 || code < 1 || code > 26) return undefined
  return `C-${String.fromCharCode(code + 96)}`
}

function altOf(part: string): string | undefined {
  return part[0] === '\x1b' && /^.[a-z]$/s.test(part) ? `M-${part[1]}` : undefined
}
