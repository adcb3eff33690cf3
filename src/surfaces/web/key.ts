/**
 * The key of this browser, as the header has it. In the storage of the origin, which has a port:
 * a cookie of this host would go to every port, to what an agent serves there too.
 */
const NAME = 'vigil.key'

type Listener = (signedIn: boolean) => void
const listeners = new Set<Listener>()

export function keyOfBrowser(): string | null {
  return localStorage.getItem(NAME)
}

/** What else is kept for this address: colours, whether to notify. */
export function choicesOfBrowser(): readonly (readonly [string, string])[] {
  return Object.entries({ ...localStorage }).filter(([name]) => name !== NAME)
}

export function keepKey(key: string): void {
  localStorage.setItem(NAME, key)
  tell()
}

/** Only the one that was refused: another tab may have signed in meanwhile. */
export function forgetKey(refused: string | null): void {
  if (refused === null || keyOfBrowser() !== refused) return
  localStorage.removeItem(NAME)
  tell()
}

/** Told when this or another tab signs in or is signed out; returns how to stop. */
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
