import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { PICTURES } from '../tools/picture-list.ts'
import { documents, targetsIn } from './support/markdown.ts'

const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
const made = PICTURES.map(({ file }) => file).toSorted()
const shown = documents()
  .flatMap(({ path, text }) => targetsIn(text).map((to) => join(dirname(path), to)))
  .filter((path) => /\.(png|jpe?g|gif|svg|webp)$/i.test(path) && !path.includes(':'))

it('the pictures that are there are those that tools/pictures.ts makes', () => {
  expect(made.length).toBeGreaterThan(3)
  expect(readdirSync(folder).toSorted()).toEqual(made)
})

it('every picture that a document shows is made by tools/pictures.ts', () => {
  expect(shown.length).toBeGreaterThan(3)
  expect(shown.filter((path) => !made.includes(path.replace('docs/pictures/', '')))).toEqual([])
})

it('every picture that is made is shown in a document', () => {
  expect(made.filter((file) => !shown.includes(`docs/pictures/${file}`))).toEqual([])
})

it('the pictures are PNG of a width that a page can show', () => {
  for (const file of made) {
    const bytes = readFileSync(join(folder, file))
    expect(bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(bytes.readUInt32BE(16)).toBeGreaterThan(300)
  }
})
