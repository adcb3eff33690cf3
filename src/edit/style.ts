import { innerOf, type JsonNode, leadOf } from './document.ts'

/** A settings file's layout, so that an insertion looks like the user's own. */
export interface Style {
  readonly eol: string
  readonly unit: string
  readonly oneLine: boolean
}

export function styleOf(text: string, root: JsonNode): Style {
  const eol = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n'
  const first = root.children?.[0]
  const unit = first ? indentIn(leadOf(text, first.offset)) : ''
  return { eol, unit: unit || '  ', oneLine: Boolean(first) && !hasBreak(innerOf(text, root)) }
}

export function hasBreak(text: string): boolean {
  return /[\r\n]/.test(text)
}

/** The blanks after a line's beginning. */
function indentIn(lead: string): string {
  return hasBreak(lead) ? lead.replaceAll(/[\r\n]/g, '') : ''
}

/** The indentation of the line at an offset. */
export function indentAt(text: string, offset: number): string {
  const line = text.slice(0, offset).replace(/^\uFEFF/, '')
  return /^[ \t]*/.exec(line.split(/[\r\n]/).at(-1) ?? '')?.[0] ?? ''
}

export interface Child {
  /** In an object. */
  readonly key?: string
  readonly value: unknown
}

/** A child as text: over several lines where it begins one, as the client itself writes them. */
export function render({ key, value }: Child, lead: string, style: Style): string {
  const pretty = hasBreak(lead)
  const source = pretty ? JSON.stringify(value, null, style.unit) : JSON.stringify(value)
  const lines = source.replaceAll('\n', `${style.eol}${indentIn(lead)}`)
  return key === undefined ? lines : `${JSON.stringify(key)}:${pretty ? ' ' : ''}${lines}`
}
