import type { State } from '../core/verdict.ts'

/** One sign for each state, and the mark of what is unread; each one column wide. */
export type Glyphs = Readonly<Record<State | 'unread', string>>

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
    unread: '*',
  },
  /** For terminals and fonts that have nothing else. */
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
    unread: '*',
  },
  /** Font Awesome's part of the Nerd Fonts: the one that no version of them has moved. */
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
    unread: '\uf0f3',
  },
} as const satisfies Readonly<Record<string, Glyphs>>
