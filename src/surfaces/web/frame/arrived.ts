/**
 * SPEC SH13. `arrive.html` continues to this path. With a code in the address it does so by itself,
 * and then no session is chosen: another site may have led here.
 */
const ON_PATH = '/index.html'

export const cameByItself = location.pathname === ON_PATH && location.hash.startsWith('#code=')

/** The page has one address, however the browser got there. */
export function tidyPath(): void {
  if (location.pathname === ON_PATH) history.replaceState(null, '', `/${location.hash}`)
}
