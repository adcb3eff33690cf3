import { Unicode11Addon } from '@xterm/addon-unicode11'
import { type ITheme, Terminal } from '@xterm/xterm'
import type { TerminalTheme } from './news.ts'

/** Lines of scrollback: at least as many as the daemon sends. */
const SCROLLBACK_LINES = 2_000

/**
 * A terminal that only displays. Agents wrote what a pane prints: no sequence opens a window, sets
 * a title or the clipboard, asks the terminal something whose answer would be typed, or makes a
 * link. The daemon passes on only text and colours; this holds without that.
 */
export function makeTerminal(): Terminal {
  const terminal = new Terminal({
    disableStdin: true,
    cursorBlink: false,
    cursorInactiveStyle: 'outline',
    scrollback: SCROLLBACK_LINES,
    minimumContrastRatio: 4.5,
    linkHandler: { activate: () => {}, allowNonHttpProtocols: false },
    windowOptions: {},
    // Only for the width of letters.
    allowProposedApi: true,
    logLevel: 'off',
    overviewRuler: { width: 9 },
    fontSize: 13,
    lineHeight: 1.15,
  })
  // In its default tables an emoji is one column wide; in tmux it is two.
  terminal.loadAddon(new Unicode11Addon())
  terminal.unicode.activeVersion = '11'
  const ignore = () => true
  for (const code of SAID_BY_OSC) terminal.parser.registerOscHandler(code, ignore)
  for (const id of ASKED_BY_CSI) terminal.parser.registerCsiHandler(id, ignore)
  for (const id of ASKED_BY_DCS) terminal.parser.registerDcsHandler(id, ignore)
  return terminal
}

/** Titles, colours of the terminal, links, the clipboard, notifications. */
const SAID_BY_OSC = [0, 1, 2, 4, 8, 9, 10, 11, 12, 52, 99, 104, 110, 111, 112, 133, 777, 1337]

/** Queries: device, cursor, modes, window size. */
const ASKED_BY_CSI = [
  { final: 'c' },
  { prefix: '>', final: 'c' },
  { prefix: '=', final: 'c' },
  { final: 'n' },
  { prefix: '?', final: 'n' },
  { final: 't' },
  { intermediates: '$', final: 'p' },
  { prefix: '?', intermediates: '$', final: 'p' },
  { prefix: '>', final: 'q' },
  { prefix: '?', final: 'u' },
]

const ASKED_BY_DCS = [
  { intermediates: '$', final: 'q' },
  { intermediates: '+', final: 'q' },
]

export function xtermTheme({ dark, ground, ink, accent }: TerminalTheme): ITheme {
  return {
    ...(dark ? DARK : LIGHT),
    background: ground,
    foreground: ink,
    cursor: accent,
    cursorAccent: ground,
    overviewRulerBorder: ground,
    selectionBackground: dark ? '#3a4a7a' : '#c9d4ff',
  }
}

const DARK: ITheme = {
  black: '#1a1f27',
  red: '#ff837b',
  green: '#5bcf90',
  yellow: '#eab54f',
  blue: '#74b0ff',
  magenta: '#e893e3',
  cyan: '#5fd0d6',
  white: '#c9d1dc',
  brightBlack: '#8f9bab',
  brightRed: '#ffa8a2',
  brightGreen: '#8be3b1',
  brightYellow: '#f6d186',
  brightBlue: '#a5ccff',
  brightMagenta: '#f2b9ef',
  brightCyan: '#97e5e9',
  brightWhite: '#ffffff',
}

const LIGHT: ITheme = {
  black: '#12161d',
  red: '#b8232b',
  green: '#17703f',
  yellow: '#835400',
  blue: '#1f5bbd',
  magenta: '#982089',
  cyan: '#0b6a74',
  white: '#5d6878',
  brightBlack: '#5d6878',
  brightRed: '#d0343b',
  brightGreen: '#1f8a50',
  brightYellow: '#9a6600',
  brightBlue: '#2f6fd8',
  brightMagenta: '#b135a1',
  brightCyan: '#128290',
  brightWhite: '#12161d',
}
