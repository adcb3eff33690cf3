import { detachedLine } from '../../core/words.ts'
import type { OpenRequest } from '../../protocol/request.ts'
import type { Session } from '../../protocol/session.ts'
import { canAnswer, requestOf } from '../../view/board/abilities.ts'
import { type Board, detailsOf, type SessionDetails, selectedOf } from '../../view/board/board.ts'
import { changesShown, messagesNewestFirst } from '../../view/changes.ts'
import { limitWords } from '../../view/limits.ts'
import { dollars, timeOfDay } from '../../view/loop.ts'
import { whatToShow } from '../../view/request.ts'
import { shownLines } from '../../view/request-lines.ts'
import { ageOf, colourOf, glyphOf, wordsOf } from '../../view/session.ts'
import { shapeOf } from '../../view/shape.ts'
import type { TerminalLine } from './picture.ts'
import { askedLines, requestLines } from './request-lines.ts'
import { fitted, wrapped } from './text.ts'

/** The line above the details: name, state and since when. */
export function titleLine(session: Session, now: number): TerminalLine {
  const { glyph, name, where, word, age, colour, heard } = shapeOf(session, now, timeOfDay)
  const rest = where.startsWith(name) ? where.slice(name.length) : ` ${where}`
  return [
    { text: name.slice(0, TITLE_MAX), bold: true },
    { text: fitted(rest, TITLE_MAX), dim: true },
    { text: `  ${glyph} ${word}`, colour },
    { text: ` ${age}${heard === null ? '' : ` · ${heard}`}`, dim: true },
  ]
}

const TITLE_MAX = 40

interface Section {
  readonly label: string
  readonly lines: readonly TerminalLine[]
  /** Lines that the section gets before any other gets more than its own minimum. */
  readonly least: number
  /** The last line if the section is cut, and the line below it in any case. */
  readonly cut?: (hidden: number) => TerminalLine
  readonly foot?: readonly TerminalLine[]
}

interface Room {
  readonly width: number
  readonly height: number
}

/** The details of the selected session, in as many lines as there are. */
export function detailLines(board: Board, place: Room): readonly TerminalLine[] {
  const { sections, sizes, left } = laidOut(board, place)
  // Blank lines between the sections, if there is room for all of them.
  const airy = left >= sections.length - 1
  return sections.flatMap((section, i) => {
    const lines = inSight(section, sizes[i] ?? 0)
    const shown = lines.map((line, at) => labelled(at === 0 ? section.label : '', line))
    return airy && i > 0 ? [[], ...shown] : shown
  })
}

/** SPEC SH8. Whether the details have room for the whole request. */
export function showsWholeRequest(board: Board, place: Room): boolean {
  const { sections, sizes } = laidOut(board, place)
  const at = sections.findIndex(({ label }) => label === 'asks')
  const section = sections[at]
  return section !== undefined && (sizes[at] ?? 0) >= lengthOf(section)
}

function lengthOf({ lines, foot = [] }: Section): number {
  return lines.length + foot.length
}

function inSight(section: Section, size: number): readonly TerminalLine[] {
  const { lines, foot = [], cut } = section
  if (size >= lengthOf(section)) return [...lines, ...foot]
  const room = Math.max(0, size - foot.length - (cut ? 1 : 0))
  const end = cut ? [cut(lines.length - room)] : []
  return [...lines.slice(0, room), ...end, ...foot].slice(0, size)
}

/** Each section gets its minimum, in order; the rest goes to the first section that can use it. */
function laidOut(board: Board, { width, height }: Room) {
  const room = Math.max(10, width - LABEL_COLUMNS)
  const sections = sectionsOf(board, room, height).filter(({ lines }) => lines.length > 0)
  const sizes = sections.map(() => 0)
  let left = height
  const give = (want: (section: Section) => number) =>
    sections.forEach((section, i) => {
      const more = Math.min(left, Math.max(0, want(section) - (sizes[i] ?? 0)))
      sizes[i] = (sizes[i] ?? 0) + more
      left -= more
    })
  give((section) => Math.min(lengthOf(section), section.least))
  give(lengthOf)
  return { sections, sizes, left }
}

function sectionsOf(board: Board, room: number, height: number): readonly Section[] {
  const [session, details, { now }] = [selectedOf(board), detailsOf(board), board]
  if (!session) return []
  const isAsking = session.asks.length > 0
  const at: TerminalLine = [{ text: fitted(whereabouts(session, now), room), dim: true }]
  const words = (text: string, most: number) => (text === '' ? [] : wrapped(text, room, most))
  const limits = words(limitWords(session, now), 2)
  const alone = words(detachedLine(session) ?? '', 3)
  return [
    asks(board, session, room, height),
    goesOn(session, now, room),
    loopOf(session, now, room),
    { label: 'why', lines: why(session, room), least: 1 },
    lessIf(isAsking, said(details, room, height)),
    lessIf(isAsking, before(details, now)),
    { label: '', lines: alone.map((text) => [{ text }]), least: alone.length },
    { label: 'at', lines: [at], least: 1 },
    { label: 'limits', lines: limits.map((text) => [{ text, dim: true }]), least: 0 },
  ]
}

const LABEL_COLUMNS = 7

/** A request comes before earlier messages. */
function lessIf(isAsking: boolean, section: Section): Section {
  return isAsking ? { ...section, least: 0 } : section
}

function labelled(label: string, line: TerminalLine): TerminalLine {
  return [{ text: label.padEnd(LABEL_COLUMNS), dim: true }, ...line]
}

function asks(board: Board, session: Session, room: number, height: number): Section {
  // A request that can be answered here comes from its hook, also if the verdict rests on other
  // sources.
  const known = requestOf(board)
  const request: { tool: string; text?: string } | null = session.request ?? known ?? null
  if (!request) return { label: 'asks', lines: [], least: 0 }
  // The client's own words if known; otherwise the transcript's.
  const call = detailsOf(board)?.talk?.call ?? null
  const asked = known
    ? requestLines(known, room)
    : call
      ? askedLines(shownLines(whatToShow(call)), room)
      : []
  const words =
    request.text && asked.length === 0 ? `${request.tool}: ${request.text}` : request.tool
  const first = wrapped(words, room, 2).map((text): TerminalLine => [{ text, bold: true }])
  return {
    label: 'asks',
    lines: [...(session.for === 'question' && asked.length > 0 ? [] : first), ...asked],
    least: Math.max(3, Math.floor(height / 2)),
    foot: known && canAnswer(session, known) ? [how(known)] : [],
    cut: (hidden) => [
      { text: `▼ ${hidden} more ${hidden === 1 ? 'line' : 'lines'}: `, colour: 'yellow' },
      { text: 'space', bold: true },
      { text: ' shows everything', colour: 'yellow' },
    ],
  }
}

/** SPEC AN25. How to answer it from here. */
function how({ kind, suggestions }: OpenRequest): TerminalLine {
  const keys = KEYS[kind].filter(([key]) => key !== 'Y' || suggestions.length > 0)
  return keys.flatMap(([key, meaning]) => [
    { text: `${key} `, bold: true },
    { text: `${meaning}   `, dim: true },
  ])
}

const KEYS = {
  permission: [
    ['y', 'allow'],
    ['Y', 'allow, and remember'],
    ['d', 'deny'],
  ],
  question: [
    ['y', 'answer'],
    ['d', 'decline'],
  ],
  plan: [
    ['y', 'approve'],
    ['d', 'reject'],
  ],
} as const

function goesOn({ doing, tasks, todosDone, todosTotal }: Session, now: number, room: number) {
  const does = doing
    ? [`${doing.tool ?? doing.what}${doing.label ? `: ${doing.label}` : ''}`, now - doing.since]
    : null
  const first: TerminalLine[] = does
    ? [
        [
          { text: fitted(String(does[0]), room - 8) },
          { text: ` ${ageOf(Number(does[1]))}`, dim: true },
        ],
      ]
    : []
  const others = tasks.map(
    (task): TerminalLine => [
      { text: fitted(`${task.what}${task.label ? `: ${task.label}` : ''}`, room) },
    ],
  )
  const todos: TerminalLine[] = todosTotal
    ? [[{ text: `${todosDone ?? 0} of ${todosTotal} tasks done` }]]
    : []
  return { label: 'does', lines: [...first, ...others, ...todos], least: 1 }
}

function loopOf(session: Session, now: number, room: number): Section {
  const { loop } = shapeOf(session, now, timeOfDay)
  const why = session.loop?.hold
  const text = fitted(`${loop ?? ''}${why ? ` (${why})` : ''}`, room)
  return { label: 'loop', lines: loop === null ? [] : [[{ text }]], least: 1 }
}

function why({ rule, reason }: Session, room: number): readonly TerminalLine[] {
  const lines = wrapped(reason, room - rule.length - 1, 3)
  return lines.map((text, i) => [
    { text: `${i === 0 ? rule : ''}`.padEnd(rule.length + 1), dim: true },
    { text },
  ])
}

/** The last message; of earlier messages the beginning, if there is room. */
function said(details: SessionDetails | null, room: number, height: number): Section {
  const [last = '', ...earlier] = messagesNewestFirst(details?.talk)
  const lines = last === '' ? [] : wrapped(last, room, Math.max(2, Math.floor(height / 2)))
  const before = earlier.flatMap((text) => wrapped(text, room, 2))
  return {
    label: 'said',
    lines: [...lines.map((text) => [{ text }]), ...before.map((text) => [{ text, dim: true }])],
    least: 2,
  }
}

function before(details: SessionDetails | null, now: number): Section {
  const history = changesShown(details?.explanation?.history ?? [])
  const lines = history.slice(1, 9).map(
    ({ t, verdict }): TerminalLine => [
      { text: `${glyphOf(verdict)} ${wordsOf(verdict)}`.padEnd(26), colour: colourOf(verdict) },
      { text: `${ageOf(now - t)} ago`, dim: true },
    ],
  )
  return { label: 'before', lines, least: 1 }
}

function whereabouts(session: Session, now: number): string {
  const { cwd, model, costUsd, tmuxPane, pid, host } = session
  const { context } = shapeOf(session, now, timeOfDay)
  const cost = costUsd === null ? null : dollars(costUsd)
  const place = tmuxPane ? `tmux ${tmuxPane}` : pid === null ? null : `pid ${pid}`
  return [cwd, place, model, context, cost, host].filter((part) => part !== null).join(' · ')
}
