import type { State } from '../core/verdict.ts'

/** One sign for each state, for a lost machine and for unread; each is one column wide. */
export type Glyphs = Readonly<Record<State | 'unreachable' | 'unread', string>>

export const GLYPHS = {
  emoji: {
    waiting: '◆',
    error: '✗',
    stuck: '◌',
    idle: '✓',
    working: '►',
    background: '◍',
    starting: '○',
    unknown: '?',
    closed: '·',
    unreachable: '⊘',
    unread: '*',
  },
  /** For terminals and fonts that have no other signs. */
  ascii: {
    waiting: '!',
    error: 'x',
    stuck: '~',
    idle: '+',
    working: '>',
    background: '&',
    starting: 'o',
    unknown: '?',
    closed: '-',
    unreachable: '#',
    unread: '*',
  },
  /** The Font Awesome range of the Nerd Fonts: the only range that no version has moved. */
  nerd: {
    waiting: '\uf04c',
    error: '\uf00d',
    stuck: '\uf252',
    idle: '\uf00c',
    working: '\uf013',
    background: '\uf0ae',
    starting: '\uf10c',
    unknown: '\uf128',
    closed: '\uf011',
    unreachable: '\uf127',
    unread: '\uf0f3',
  },
} as const satisfies Readonly<Record<string, Glyphs>>
