import { GLYPHS } from '../../view/glyphs.ts'
import type { TerminalLine } from './picture.ts'

const KEYS = [
  ['↑ ↓  k j', 'choose a session; PgUp, PgDn, Home, End go further'],
  ['1 – 9', 'choose by the number in front'],
  ['Enter', 'go to its tmux pane; resume a closed session, attach a detached one'],
  ['n', 'choose the session that has waited for you longest; again for the next'],
  ['f', 'filter by name, branch, state, host; Esc clears it'],
  ['g', 'group by project, by machine, not at all'],
  ['u', 'mark as read'],
  ['space', 'read its request in full; there space scrolls down, b up'],
  [
    'y',
    'allow its request, approve its plan or answer its question, once you have read it in full',
  ],
  ['Y', 'allow it with one of the client’s suggestions, such as "always"'],
  ['d', 'deny it, with an optional message to the agent'],
  ['p', 'show the last lines of its tmux pane; again to return'],
  [':', 'send a prompt to an idle session in tmux; turn typing on with t first'],
  ['t', 'turn typing into it on or off'],
  ['I', 'interrupt it'],
  ['x', 'dismiss it until its state changes; X shows all again'],
  ['c', 'list the closed sessions, or fold them into one line'],
  ['w', 'show why it is in its state'],
  ['?', 'show or hide this help'],
  ['q', 'quit; the daemon keeps watching'],
] as const

const SIGNS = [
  [GLYPHS.emoji.unread, 'you have not looked at it since it began to need you'],
  ['detached', 'its terminal was closed, and the agent goes on without one'],
  ['3/7 done', 'its own tasks'],
  ['42 % left', 'of its context'],
] as const

export function helpLines(): readonly TerminalLine[] {
  const lines = (rows: readonly (readonly [string, string])[]) =>
    rows.map(
      ([key, meaning]): TerminalLine => [
        { text: `  ${key.padEnd(11)}`, bold: true },
        { text: meaning },
      ],
    )
  return [
    [{ text: 'Keys', dim: true }],
    ...lines(KEYS),
    [],
    [{ text: 'In the list', dim: true }],
    ...lines(SIGNS),
  ]
}
