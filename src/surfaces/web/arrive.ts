import './theme.css'
import './base.css'
import './parts.css'
import './frame.css'

/** Longer than a double click that began on the other site; any key or click restarts it. */
const LOOKED_MS = 1_000

/** Another path than this document's: the same path with a fragment would load nothing. */
const goOn = () => location.replace(`/index.html${location.hash}`)

/**
 * SPEC SH13. What a navigation from another site shows. A code only signs this browser in and
 * answers nothing, so the page continues by itself.
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
  // A user who keeps pressing keys or clicking means the other site.
  const touched = () => button.disabled && look()
  for (const name of ['keydown', 'pointerdown']) addEventListener(name, touched, { capture: true })
  // Opening a code in this tab loads nothing by itself.
  addEventListener('hashchange', () => isCode(location.hash) && goOn())
  button.addEventListener('click', ({ isTrusted }) => isTrusted && goOn())
  look()
}

/** The form alone proves nothing: any site can write such a fragment. */
function isCode(hash: string): boolean {
  return /^#code=[0-9a-f]{32}$/.test(hash)
}
