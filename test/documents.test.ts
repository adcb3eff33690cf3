import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { fileOf } from './support/files.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
/** A path from the project's root, or from `src/`; `<agent>` stands for any agent's folder. */
const PATH = /(?<![\w/.<>*-])((?:src|hook|bin|test|lab)\/[\w./<>*-]*|[\w-]+(?:\/[\w-]+)*\.tsx?)/g

it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('every file that %s names exists', (document) => {
  const named = namedIn(fileOf(document).text)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((path) => !isThere(path))).toEqual([])
})

it('a file that does not exist is found, whatever it is named by', () => {
  const named = namedIn('`src/daemon/gone.ts`, daemon/gone.ts: see `gone.ts` and `src/core/`.')
  expect(named.filter((path) => !isThere(path))).toEqual([
    'src/daemon/gone.ts',
    'daemon/gone.ts',
    'gone.ts',
  ])
})

function namedIn(text: string): readonly string[] {
  const found = [...text.matchAll(PATH)].map(([, path = '']) => path.replace(/\.$/, ''))
  return [...new Set(found)]
}

function isThere(path: string): boolean {
  const isFromRoot = /^(src|hook|bin|test|lab)\//.test(path)
  const pattern = path.replaceAll(/<\w+>/g, '*')
  return globSync(isFromRoot ? pattern : `src/**/${pattern}`, { cwd: root }).length > 0
}
