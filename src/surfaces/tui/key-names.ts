import type { Key } from 'ink'

/**
 * Keys by their names, letters by themselves; several that arrive together come one after the
 * other.
 */
export function keyNames(input: string, key: Partial<Key>): readonly string[] {
  for (const [flag, name] of NAMED) if (key[flag]) return [name]
  if (key.ctrl) return [`ctrl-${input}`]
  if (key.meta) return []
  return [...input].flatMap((letter) => CONTROLS[letter] ?? (letter < ' ' ? [] : [letter]))
}

const NAMED: readonly (readonly [keyof Key, string])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['pageUp', 'pageup'],
  ['pageDown', 'pagedown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['backspace', 'backspace'],
  // What most terminals send for the Backspace key.
  ['delete', 'backspace'],
]

const CONTROLS: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\u007f': 'backspace',
  '\u0003': 'ctrl-c',
  '\u001a': 'ctrl-z',
}

/** The sequences by which a terminal reports focus. */
export function focusOf(input: string): boolean | undefined {
  if (input === '[I') return true
  return input === '[O' ? false : undefined
}
