/**
 * SPEC SH13. `arrive.html` goes on to this path. With a code in the address it does so by itself,
 * and then no session is chosen: another site may have led here.
 */
const ON_PATH = '/index.html'

export const cameByItself = location.pathname === ON_PATH && location.hash.startsWith('#code=')

/** The address of the page is one, however one came. */
export function tidyPath(): void {
  if (location.pathname === ON_PATH) history.replaceState(null, '', `/${location.hash}`)
}
