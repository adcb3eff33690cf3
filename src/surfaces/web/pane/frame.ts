import '@xterm/xterm/css/xterm.css'
import './frame.css'
import type { FromFrame, ToFrame } from './news.ts'
import { paintedSize, paintOf } from './paint.ts'
import { makeTerminal, xtermTheme } from './terminal.ts'

/** A smaller font is not readable; a wider pane is scrolled sideways instead. */
const FONT_MIN_PX = 9
const FONT_MAX_PX = 13

const place = document.getElementById('screen') as HTMLElement
const terminal = makeTerminal()
terminal.open(place)
moveScrollBar()

window.addEventListener('message', ({ origin, source, data }) => {
  if (origin === location.origin && source === window.parent) take(data as ToFrame)
})
window.addEventListener('resize', fitWidth)
terminal.onData((data) => tell({ kind: 'typed', data }))
terminal.attachCustomKeyEventHandler(handle)
// Pasted text is text: as keys, each line of it would be sent.
document.addEventListener('paste', paste, { capture: true })
// The page does not see events in this frame: neither clicks, nor that the window lost the focus.
window.addEventListener('pointerdown', ({ isTrusted }) => {
  if (isTrusted) tell({ kind: 'pointed' })
})
window.addEventListener('blur', () => {
  if (!window.parent.document.hasFocus()) tell({ kind: 'left' })
})
window.addEventListener('focus', () => tell({ kind: 'back' }))
tell({ kind: 'ready' })

/** Beside the last column, not on it: the terminal places it on the column. */
function moveScrollBar(): void {
  const around = place.querySelector<HTMLElement>('.xterm-scrollable-element')
  const bar = around?.querySelector<HTMLElement>('.scrollbar.vertical')
  if (around) around.style.overflow = 'visible'
  if (bar) bar.style.right = '-13px'
}

function take(told: ToFrame): void {
  if (told.kind === 'theme') {
    terminal.options.theme = xtermTheme(told.theme)
    terminal.options.fontFamily = told.theme.font
    document.documentElement.style.setProperty('--pane-ground', told.theme.ground)
    fitWidth()
  } else if (told.kind === 'open') {
    terminal.options.disableStdin = !told.on
    terminal.options.cursorBlink = told.on
    if (told.on) terminal.focus()
  } else {
    if (told.kind === 'screen') {
      terminal.reset()
      const { columns, rows } = paintedSize(told)
      terminal.resize(columns, rows)
      fitWidth()
    }
    terminal.write(paintOf(told))
  }
}

/** To the agent Shift+Enter is a line break, which it receives as Alt+Enter. */
function handle(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || !event.shiftKey) return true
  if (event.type === 'keydown') tell({ kind: 'typed', data: '\x1b\r' })
  event.preventDefault()
  return false
}

function paste(event: ClipboardEvent): void {
  event.preventDefault()
  event.stopPropagation()
  const text = event.clipboardData?.getData('text/plain') ?? ''
  if (text !== '' && !terminal.options.disableStdin) tell({ kind: 'pasted', text })
}

/** As large as fits the width, and readable. */
function fitWidth(): void {
  const screen = place.querySelector<HTMLElement>('.xterm-screen')
  if (!screen) return
  const size = terminal.options.fontSize ?? FONT_MAX_PX
  const style = getComputedStyle(place)
  const room = place.clientWidth - Number.parseFloat(style.paddingLeft) * 2
  const wanted = Math.floor((size * room * 2) / Math.max(1, screen.offsetWidth)) / 2
  terminal.options.fontSize = Math.min(FONT_MAX_PX, Math.max(FONT_MIN_PX, wanted))
  const high = screen.offsetHeight + Number.parseFloat(style.paddingTop) * 2
  tell({ kind: 'high', px: Math.ceil(high) })
}

function tell(what: FromFrame): void {
  if (what.kind === 'typed' && terminal.options.disableStdin) return
  window.parent.postMessage(what, location.origin)
}
