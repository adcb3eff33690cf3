import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { anchorsIn, documents, targetsIn } from './support/markdown.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const all = documents()

describe('links in documents', () => {
  it('there are documents, and links in them', () => {
    expect(all.length).toBeGreaterThan(20)
    expect(all.flatMap(({ text }) => targetsIn(text)).length).toBeGreaterThan(50)
  })

  it.each(all.map(({ path }) => path))('every link in %s leads somewhere', (path) => {
    const { text } = all.find((document) => document.path === path) ?? { text: '' }
    expect(brokenIn(path, text)).toEqual([])
  })

  it('a link that leads nowhere is found: file, folder, anchor, picture, HTML', () => {
    const text = [
      '# Here\n[a](gone.md) [b](README.md#gone) [c](#here) [d](#there)',
      '![e](docs/gone.png) [g](README.md) [h](docs) [i](https://x.org)',
      '<img src="gone.png">\n\n[f]: docs/gone/\n\n[f]',
    ].join('\n')
    expect(brokenIn('X.md', text)).toEqual([
      ...['gone.md', 'README.md#gone', '#there', 'docs/gone.png', 'gone.png', 'docs/gone/'],
    ])
  })
})

it('every page of docs is reached from README by links', () => {
  const reached = reachedFrom('README.md')
  const pages = all.map(({ path }) => path).filter((path) => path.startsWith('docs/'))
  expect(pages.length).toBeGreaterThan(100)
  expect(pages.filter((path) => !reached.has(path))).toEqual([])
})

function reachedFrom(first: string): ReadonlySet<string> {
  const reached = new Set([first])
  // A set is walked with what is added meanwhile.
  for (const path of reached)
    for (const target of targetsIn(all.find((document) => document.path === path)?.text ?? ''))
      reached.add(join(dirname(path), target.replace(/#.*/, '')))
  return reached
}

function brokenIn(path: string, text: string): readonly string[] {
  return targetsIn(text).filter((target) => {
    if (/^(https?|mailto):/.test(target)) return !URL.canParse(target)
    const [file = '', anchor] = target.split('#')
    const place = file === '' ? path : join(dirname(path), decodeURI(file))
    // Above the project's root there is nothing that a reader elsewhere has.
    if (place.startsWith('..') || (file !== '' && !existsSync(join(root, place)))) return true
    if (anchor === undefined) return false
    const aim = file === '' ? text : readFileSync(join(root, place), 'utf8')
    return !anchorsIn(aim).includes(anchor)
  })
}
