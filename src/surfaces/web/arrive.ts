import './theme.css'
import './base.css'
import './parts.css'
import './frame.css'

/** Longer than a double click that began on the other site; without a key or click meanwhile. */
const LOOKED_MS = 1_000

/** Another path than this document's: the same one with a fragment would load nothing. */
const goOn = () => location.replace(`/index.html${location.hash}`)

/**
 * SPEC SH13. What a navigation from another site shows. A code signs this browser in, which answers
 * nothing: it goes on by itself.
 */
if (isCode(location.hash)) goOn()
else offer(document.getElementById('on') as HTMLButtonElement)

function offer(button: HTMLButtonElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    clearTimeout(timer)
    button.disabled = true
    if (!document.hasFocus() || document.visibilityState !== 'visible') return
    timer = setTimeout(() => {
      button.disabled = false
    }, LOOKED_MS)
  }
  for (const name of ['focus', 'blur', 'pageshow']) addEventListener(name, look)
  document.addEventListener('visibilitychange', look)
  // Who goes on pressing keys, or clicking, does so for the other site.
  const touched = () => button.disabled && look()
  for (const name of ['keydown', 'pointerdown']) addEventListener(name, touched, { capture: true })
  // A code that is given to this very tab loads nothing by itself.
  addEventListener('hashchange', () => isCode(location.hash) && goOn())
  button.addEventListener('click', ({ isTrusted }) => isTrusted && goOn())
  look()
}

/** What only looks like one is nothing to go on by: any site can write that. */
function isCode(hash: string): boolean {
  return /^#code=[0-9a-f]{32}$/.test(hash)
}
