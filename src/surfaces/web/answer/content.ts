import type { OpenRequest } from '../../../daemon/requests/shapes.ts'

/** What a request is about, as the page shows it. */
export type Content =
  | { readonly is: 'command'; readonly command: string; readonly about: string | null }
  | { readonly is: 'change'; readonly path: string; readonly edits: readonly Edit[] }
  | { readonly is: 'fields'; readonly fields: readonly (readonly [string, string])[] }

interface Edit {
  readonly before: string
  readonly after: string
}

/** By what the input holds and not by the tool's name: tools are renamed, and others alike. */
export function contentOf({ input }: Pick<OpenRequest, 'input'>): Content {
  const fields = isFields(input) ? input : { input }
  const command = text(fields.command)
  if (command !== null) return { is: 'command', command, about: text(fields.description) }
  const path = text(fields.file_path) ?? text(fields.notebook_path)
  const edits = [fields, ...(Array.isArray(fields.edits) ? fields.edits : [])].flatMap(editOf)
  if (path !== null && edits.length > 0) return { is: 'change', path, edits }
  return { is: 'fields', fields: Object.entries(fields).map(([key, value]) => [key, said(value)]) }
}

function editOf(value: unknown): readonly Edit[] {
  if (!isFields(value)) return []
  const after = text(value.new_string) ?? text(value.new_source) ?? text(value.content)
  return after === null ? [] : [{ before: text(value.old_string) ?? '', after }]
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function said(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
}
