import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { fileOf, filesOf } from './support/files.ts'
import { documents, targetsIn, withoutConsoles } from './support/markdown.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const FOLDERS = 'src|hook|bin|test|lab|tools|bench|demo|docs'
/** A path from the project's root, or from `src/`; `<agent>` stands for any agent's folder. */
const PATH = new RegExp(
  `(?<![\\w/.<>*~-])((?:${FOLDERS})/[\\w./<>*-]*|[\\w-]+(?:/[\\w-]+)*\\.tsx?)`,
  'g',
)
/** Of a project that an example is about. */
const EXAMPLES = ['src/app.ts']
/** The changelog is history: it may name files that are gone. */
const naming = documents().filter(({ path }) => path !== 'CHANGELOG.md')

describe('files that documents name', () => {
  it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/internals.md'])('%s names some', (path) => {
    expect(namedIn(fileOf(path).text).length).toBeGreaterThan(10)
  })

  it.each(naming.map(({ path }) => path))('every file that %s names exists', (path) => {
    expect(namedIn(fileOf(path).text).filter((named) => !isThere(named, path))).toEqual([])
  })

  it('a file that does not exist is found, whatever it is named by', () => {
    const named = namedIn('`src/daemon/gone.ts`, daemon/gone.ts: see `gone.ts` and `src/core/`.')
    expect(named.filter((path) => !isThere(path, 'X.md'))).toEqual([
      'src/daemon/gone.ts',
      'daemon/gone.ts',
      'gone.ts',
    ])
  })
})

describe('lengths', () => {
  it.each([
    ['README.md', 700],
    ['ARCHITECTURE.md', 1_200],
  ])('%s has at most %i words, code and tables among them', (path, most) => {
    const words = fileOf(path)
      .text.split(/\s+/)
      .filter((word) => word !== '')
    expect(words.length).toBeGreaterThan(most / 3)
    expect(words.length).toBeLessThanOrEqual(most)
  })
})

it('README’s figures are those of docs/accuracy.md', () => {
  const accuracy = fileOf('docs/accuracy.md').text
  const table = /\| system \|.*\n\|[-|]+\n((?:\|.*\n)+)/.exec(fileOf('README.md').text)?.[1] ?? ''
  const rows = table.trim().split('\n')
  expect(rows.length).toBe(3)
  expect(rows.filter((row) => !accuracy.includes(row.trim()))).toEqual([])
  const [, live = 'none'] = /daemon is right for ([\d.]+ %)/.exec(fileOf('README.md').text) ?? []
  expect(accuracy).toMatch(new RegExp(`^\\| all sources .*\\| ${live} \\|`, 'm'))
})

describe('decisions', () => {
  const decisions = filesOf('docs/decisions/[0-9]*.md')
  /** Of a rule, or of one that was merged into it. */
  const RULE = /(?<=^- \*\*|\balso [A-Z\d, ]*)[A-Z]{1,2}\d+/gm
  const PARTS = ['Context', 'Decision', 'Rejected', 'Consequence']

  it('are numbered without a gap, by their file and their title', () => {
    const numbers = decisions.map(({ path }) => Number(/\/(\d+)-/.exec(path)?.[1]))
    expect(numbers).toEqual(decisions.map((_, at) => at + 1))
    const titled = decisions.map(({ text }) => Number(/^# (\d+)\. \S/.exec(text)?.[1]))
    expect(titled).toEqual(numbers)
  })

  it.each(decisions)('$path has its four parts, in order', ({ text }) => {
    expect([...text.matchAll(/^\*\*(\w+)\.\*\* \S/gm)].map(([, part]) => part)).toEqual(PARTS)
  })

  it('name rules that exist', () => {
    const spec = filesOf('docs/spec/*.md').map(({ text }) => text)
    const rules = spec.flatMap((text): readonly string[] => text.match(RULE) ?? [])
    const named = decisions.flatMap(({ path, text }) =>
      [...text.matchAll(/(?<=[(, ])[A-Z]{1,2}\d+(?=[), ])/g)].map(([id]) => ({ path, id })),
    )
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter(({ id }) => !rules.includes(id))).toEqual([])
  })

  it('are all in the list of decisions, by their titles', () => {
    const list = fileOf('docs/decisions/README.md').text
    expect(targetsIn(list).toSorted()).toEqual(
      decisions.map(({ path }) => path.replace('docs/decisions/', '')),
    )
    const titles = decisions.map(({ text }) => /^# \d+\. (.*)/.exec(text)?.[1])
    expect(titles.filter((title) => !list.includes(`[${title}]`))).toEqual([])
  })
})

function namedIn(text: string): readonly string[] {
  const found = [...withoutConsoles(text).matchAll(PATH)].map(([, path = '']) =>
    path.replace(/[.]$/, ''),
  )
  return [...new Set(found)].filter((path) => !EXAMPLES.includes(path))
}

/** From the root, from `src/` where it is a source, or beside the document that names it. */
function isThere(path: string, from: string): boolean {
  const pattern = path.replaceAll(/<\w+>/g, '*')
  const folder = from.replace(/[^/]*$/, '')
  const places = new RegExp(`^(${FOLDERS})/`).test(path)
    ? [pattern, `${folder}${pattern}`]
    : [`src/**/${pattern}`, `${folder}**/${pattern}`]
  return places.some((place) => globSync(place, { cwd: root }).length > 0)
}
