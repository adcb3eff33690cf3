import { GLYPHS } from '../../view/glyphs.ts'
import type { TerminalLine } from './picture.ts'

const KEYS = [
  ['↑ ↓  k j', 'choose a session; PgUp, PgDn, Home, End go further'],
  ['1 – 9', 'choose by the number in front'],
  ['Enter', 'go to its tmux pane; of a closed one, take it up again'],
  ['n', 'the one that has needed you longest; again, the one after'],
  ['f', 'filter by name, branch, state, host; Esc ends it'],
  ['g', 'group by project, by host, not at all'],
  ['u', 'mark as read'],
  ['space', 'read all of what it asks; there space goes on, b goes back'],
  ['y', 'allow what it asks, approve its plan, answer its question, once you have read all of it'],
  ['Y', 'allow it with one of the client’s own suggestions'],
  ['d', 'deny it, with a word to the agent'],
  ['p', 'the last lines of its tmux pane; again, back to the sessions'],
  [':', 'send a prompt to one that stands idle in tmux, once t allows typing'],
  ['t', 'allow typing into it from here, or end that'],
  ['I', 'interrupt it, with the agent’s own key'],
  ['x', 'dismiss until something happens to it; X brings all back'],
  ['c', 'list the closed ones, or fold them into one line'],
  ['w', 'why it is said to be what it is'],
  ['?', 'this page'],
  ['q', 'leave; vigil goes on watching'],
] as const

const SIGNS = [
  [GLYPHS.emoji.unread, 'you have not looked at it since it began to need you'],
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
