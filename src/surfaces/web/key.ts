/**
 * The key of this browser, for the header. In the storage of the origin, which includes the port: a
 * cookie of this host would go to every port, also to what an agent serves there.
 */
const NAME = 'vigil.key'

type Listener = (signedIn: boolean) => void
const listeners = new Set<Listener>()

export function keyOfBrowser(): string | null {
  return localStorage.getItem(NAME)
}

/** The other stored choices: theme, notifications. */
export function choicesOfBrowser(): readonly (readonly [string, string])[] {
  return Object.entries({ ...localStorage }).filter(([name]) => name !== NAME)
}

export function keepKey(key: string): void {
  localStorage.setItem(NAME, key)
  tell()
}

/** Only the refused key: another tab may have signed in meanwhile. */
export function forgetKey(refused: string | null): void {
  if (refused === null || keyOfBrowser() !== refused) return
  localStorage.removeItem(NAME)
  tell()
}

/** Called when this or another tab signs in or out; returns a function that unsubscribes. */
export function onKey(listener: Listener): () => void {
  const elsewhere = ({ key }: StorageEvent) => {
    if (key === NAME || key === null) listener(keyOfBrowser() !== null)
  }
  listeners.add(listener)
  window.addEventListener('storage', elsewhere)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', elsewhere)
  }
}

function tell(): void {
  for (const listener of listeners) listener(keyOfBrowser() !== null)
}
