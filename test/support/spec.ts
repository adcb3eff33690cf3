import { filesOf } from './files.ts'

/** The rules: one file for each section. */
const sections = filesOf('docs/spec/[0-9]*.md')

export const spec = sections.map(({ text }) => text).join('\n')

const RULE = /^- \*\*([A-Z]{1,2}\d+)\*\* (?:\(also ([^)]+)\) )?/gm

/** The ids of all rules, with those of rules that were merged into another: `(also W9, W10)`. */
export const specIds: readonly string[] = [...spec.matchAll(RULE)].flatMap(
  ([, id = '', aliases]) => [id, ...(aliases?.split(', ') ?? [])],
)

/** The ids of the rules of some sections, without aliases. */
export function rulesOfSections(first: number, last: number): readonly string[] {
  return sections
    .filter(({ path }) => {
      const section = Number(/(\d+)-[\w-]+\.md$/.exec(path)?.[1])
      return section >= first && section <= last
    })
    .flatMap(({ text }) => [...text.matchAll(RULE)].map(([, id = '']) => id))
}
