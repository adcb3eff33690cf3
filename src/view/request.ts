import type { Fields } from '../agents/read.ts'
import { type PathBases, type ShownPath, shownPath } from '../core/shown-path.ts'
import type { FieldPart, InputLayout } from '../protocol/request.ts'
import { type DiffLine, diffOf, noteOf } from './diff.ts'
import { type LeftFields, leftOf } from './request-fields.ts'
import { spelled } from './safe.ts'

/** One part of what a request asks for. */
export type RequestBlock =
  | TextBlock
  | PathBlock
  | ChangeBlock
  | QuestionBlock
  | FieldBlock
  | NoticeBlock

interface TextBlock {
  readonly is: TextRole
  readonly name: string
  readonly text: string
}

type TextRole = 'command' | 'plan' | 'value'

interface PathBlock {
  readonly is: 'path'
  readonly name: string
  readonly text: string
  readonly shown: ShownPath
}

interface ChangeBlock {
  readonly is: 'change'
  /** Differences that the lines do not show, in words: only line ends differ. */
  readonly note: string | null
  readonly lines: readonly DiffLine[]
}

interface QuestionBlock {
  readonly is: 'question'
  readonly question: string
  readonly header: string | null
  readonly several: boolean
  readonly options: readonly { readonly label: string; readonly description: string | null }[]
}

interface FieldBlock {
  readonly is: 'field'
  readonly name: string
  readonly text: string
  /** The field may change what the tool does. */
  readonly marked: boolean
}

interface NoticeBlock {
  readonly is: 'notice'
  readonly text: string
}

export interface ToShow extends PathBases {
  readonly tool: string
  readonly input: unknown
  /** As the agent defines it. */
  readonly layout: InputLayout
  /** The daemon sent only the beginning of the input. */
  readonly cut?: boolean
  /** For each field of a change, the line of the file at which the replaced text begins. */
  readonly lines?: Readonly<Record<string, number>>
}

/**
 * SPEC SH1, SH2. Everything that a request asks for: first what the tool is applied to, then every
 * field that may change what it does, then explanations. No field is left out: the agent writes all
 * of them, and a client may act on fields that vigil does not know.
 */
export function whatToShow(asked: ToShow): readonly RequestBlock[] {
  const { tool, input, layout, cut = false } = asked
  const given = isFields(input) ? input : { input }
  const left = leftOf(given)
  const first = layout.parts.flatMap((part) => DRAWN[part.role](left, part, asked))
  const calm = [...layout.explains, ...onceOnly(layout, given)]
  const rest = left.rest().map((field) => fieldBlock(field, first.length > 0, calm))
  const blocks = [
    ...(isPlainName(tool)
      ? []
      : [{ is: 'field', name: 'tool', text: tool, marked: true } as const]),
    ...first,
    ...rest.filter(({ marked }) => marked),
    ...rest.filter(({ marked }) => !marked),
    ...(cut ? [TOO_LONG] : []),
  ]
  return blocks.length > 0 ? blocks : [NOTHING]
}

/** A text that is not replaced everywhere is replaced once, as the change shows it. */
function onceOnly({ parts }: InputLayout, given: Fields): readonly string[] {
  return parts.flatMap(({ everywhere = '' }) => (given[everywhere] === false ? [everywhere] : []))
}

/** Surfaces show the tool's name in one line, which has room for this many characters. */
function isPlainName(tool: string): boolean {
  return tool.length <= NAME_SHOWN && spelled(tool) === tool && !/\s{2}|\n/.test(tool)
}

const NAME_SHOWN = 40

const TOO_LONG: NoticeBlock = {
  is: 'notice',
  text: 'It is too long to be shown in full and cannot be allowed here; answer it in its terminal.',
}
const NOTHING: NoticeBlock = { is: 'notice', text: 'It has no input.' }

type Draw = (left: LeftFields, part: FieldPart, asked: ToShow) => readonly RequestBlock[]

const DRAWN: Readonly<Record<FieldPart['role'], Draw>> = {
  command: (left, { field }) => textBlock('command', left, field),
  path: (left, { field }, asked) => pathBlock(left, field, asked),
  plan: (left, { field }) => textBlock('plan', left, field),
  value: (left, { field }) => textBlock('value', left, field),
  text: (left, { field }) => changeBlock(left, field, undefined),
  change: (left, { field, replaces }, asked) => changeBlock(left, field, replaces, asked),
  changes: (left, { field, after = '', replaces, path }, asked) =>
    left.each(field, (change) => [
      ...(path === undefined ? [] : pathBlock(change, path, asked)),
      ...changeBlock(change, after, replaces, asked),
    ]),
  questions: (left, { field, several }) =>
    left.each(field, (entry) => questionBlock(entry, several)),
}

function textBlock(is: TextRole, left: LeftFields, name: string): readonly TextBlock[] {
  return textOf(left, name).map((text) => ({ is, name, text }))
}

function pathBlock(left: LeftFields, name: string, bases: PathBases): readonly PathBlock[] {
  return textOf(left, name).map((text) => {
    return { is: 'path', name, text, shown: shownPath(text, bases) }
  })
}

/** Empty for a text without characters, because its block would show nothing. */
function textOf(left: LeftFields, name: string): readonly string[] {
  const text = left.peek(name)
  if (typeof text !== 'string' || text.trim() === '') return []
  left.take(name)
  return [text]
}

function changeBlock(
  left: LeftFields,
  after: string,
  before: string | undefined,
  { lines = {} }: Pick<ToShow, 'lines'> = {},
): readonly ChangeBlock[] {
  if (typeof left.peek(after) !== 'string') return []
  const replaces = before !== undefined && typeof left.peek(before) === 'string'
  const was = replaces ? String(left.take(before)) : null
  const will = String(left.take(after))
  // SPEC SH15. A file that is written whole begins at line 1; for other changes the daemon knows
  // the line.
  const first = was ? (lines[left.placeOf(after)] ?? null) : 1
  return [{ is: 'change', note: noteOf(was, will), lines: diffOf(was ?? '', will, first) }]
}

function questionBlock(left: LeftFields, manyField = ''): readonly RequestBlock[] {
  const question = left.takeString('question')
  if (question === null) return []
  const header = left.takeString('header')
  const several = typeof left.peek(manyField) === 'boolean' && left.take(manyField) === true
  const options: { label: string; description: string | null }[] = []
  const more = left.each('options', (option) => {
    const label = option.takeString('label')
    if (label !== null) options.push({ label, description: option.takeString('description') })
    return []
  })
  return [{ is: 'question', question, header, several, options }, ...more]
}

function fieldBlock(
  { name, text }: Pick<FieldBlock, 'name' | 'text'>,
  beside: boolean,
  explains: readonly string[],
): FieldBlock {
  return { is: 'field', name, text, marked: beside && !explains.includes(name) }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
