import type { z } from 'zod'

/** An error that the caller can fix; any other exception is the daemon's own failure. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  readonly field: string | undefined

  constructor(status: number, message: string, field?: string) {
    super(message)
    this.status = status
    this.field = field
  }
}

export function badField(field: string, expected: string, came: unknown): Problem {
  return new Problem(400, `${field}: ${expected}, got ${show(came)}`, field)
}

/** Names the first error. `where` is `query`, `body` or the like. */
export function badInput(where: string, input: unknown, error: z.core.$ZodError): Problem {
  const { path, issue } = innermost(error.issues[0] as z.core.$ZodIssue)
  if (issue.code === 'unrecognized_keys') {
    const field = [where, ...path, issue.keys[0]?.slice(0, SHOWN_MAX)].join('.')
    return new Problem(400, `${scrub(field)}: unknown field; leave it out`, scrub(field))
  }
  const expected = issue.message.replace(/^[^:]*: (?=expected)/, '').replace(/, received .*$/s, '')
  return badField([where, ...path].join('.'), expected, valueAt(input, path))
}

type Found = { readonly path: readonly PropertyKey[]; readonly issue: z.core.$ZodIssue }

/** Of a union's alternatives, the one that matched furthest was meant. */
function innermost(issue: z.core.$ZodIssue): Found {
  if (issue.code !== 'invalid_union') return { path: issue.path, issue }
  const tried = issue.errors.flatMap(([first]) => (first ? [innermost(first)] : []))
  const meant = tried.toSorted((a, b) => b.path.length - a.path.length)[0]
  return meant
    ? { path: [...issue.path, ...meant.path], issue: meant.issue }
    : { path: issue.path, issue }
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}

const SHOWN_MAX = 60

function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value !== 'string') return String(value)
  const text = scrub(value)
  return JSON.stringify(text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text)
}

/** A token in the wrong place must not appear in the response. */
function scrub(text: string): string {
  return text.replace(/[0-9a-f]{32,}/gi, '…')
}
