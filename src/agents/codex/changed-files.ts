import { type Fields, fields, given, list, textIn } from '../read.ts'

/**
 * A file change for people: of each file what is replaced and what replaces it, one entry for each
 * place. A diff that cannot be read as such stays as it is.
 */
export function changedFiles(changes: unknown): readonly Fields[] {
  return list(changes).map(fields).flatMap(placesIn)
}

function placesIn({ path, kind: how, diff, ...more }: Fields): readonly Fields[] {
  const { type, move_path: movedTo, ...rest } = fields(how)
  const text = textIn(diff) ?? ''
  const action = type === 'update' ? undefined : type
  const file = given({ path, action, movedTo: movedTo ?? undefined, ...rest, ...more })
  if (type === 'add') return [{ ...file, after: text }]
  if (type === 'delete') return [{ ...file, before: text, after: '' }]
  const hunks = hunksIn(text)
  return hunks ? hunks.map((hunk) => ({ ...file, ...hunk })) : [{ ...file, diff }]
}

interface Hunk {
  readonly before: string
  readonly after: string
}

const HEAD = /^@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/

/** Undefined where a line is none of a diff, or says more than which lines change. */
function hunksIn(diff: string): readonly Hunk[] | undefined {
  const lines = diff.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const hunks: { before: string[]; after: string[] }[] = []
  for (const line of lines) {
    if (HEAD.test(line)) hunks.push({ before: [], after: [] })
    else {
      const hunk = hunks.at(-1)
      if (!hunk || !/^[-+ ]|^$/.test(line)) return undefined
      if (!line.startsWith('+')) hunk.before.push(line.slice(1))
      if (!line.startsWith('-')) hunk.after.push(line.slice(1))
    }
  }
  if (hunks.length === 0) return undefined
  return hunks.map(({ before, after }) => ({ before: before.join('\n'), after: after.join('\n') }))
}
