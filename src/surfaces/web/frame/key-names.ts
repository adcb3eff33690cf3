/** The model's name for a key of the browser; undefined if the key is meant for the browser. */
export function keyNameOf(event: {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
}): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey) return null
  const named = NAMED[event.key]
  if (named) return named
  return [...event.key].length === 1 && event.key !== ' ' ? event.key : null
}

const NAMED: Readonly<Record<string, string>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  PageUp: 'pageup',
  PageDown: 'pagedown',
  Home: 'home',
  End: 'end',
  Enter: 'enter',
  Escape: 'escape',
}
