import { expect, it } from 'vitest'
import { outputsOf, timeless } from '../tools/shown-outputs.ts'
import { documents, shownIn } from './support/markdown.ts'

const showing = documents()
  .map(({ path, text }) => ({ path, shown: shownIn(text) }))
  .filter(({ shown }) => shown.length > 0)

it('README shows six commands', () => {
  expect(showing.find(({ path }) => path === 'README.md')?.shown.length).toBe(6)
})

it.each(showing)('what $path shows is what its commands print: npm run outputs', async (page) => {
  const outputs = await outputsOf(page.shown.map(({ command }) => command))
  expect(outputs.map(timeless)).toEqual(page.shown.map(({ output }) => timeless(output)))
})

it('a word that is not printed is found', () => {
  expect(timeless(['a  26 min ago', 'b'])).toEqual(timeless(['a  1 min 3 s ago', 'b']))
  expect(timeless(['a  26 min ago'])).not.toEqual(timeless(['a  26 min']))
})
