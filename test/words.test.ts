import { expect, it } from 'vitest'
import { wordsOfShell, wordsOfSource } from '../tools/words/collect.ts'
import { collectedWords, WORDS_FILE } from '../tools/words.ts'
import { fileOf } from './support/files.ts'

it(`${WORDS_FILE} has every text that a user can see`, () => {
  const isUpToDate = fileOf(WORDS_FILE).text === collectedWords()
  expect(isUpToDate, `Texts have changed. Run \`npm run words\`, and read the difference.`).toBe(
    true,
  )
})

it('texts are collected with the names of their parts', () => {
  const source = `
    fail('no daemon ' + \`runs as \${user.name}, \${count === 1 ? 'one agent' : many(count)}\`)
    const element = <p title="Close">Send <b>{words}</b></p>`
  expect(wordsOfSource('page.tsx', source)).toEqual([
    'no daemon runs as {user.name}, {…}',
    'one agent',
    'Close',
    'Send',
  ])
})

it('keys, types, styles, patterns and queries are not collected', () => {
  const source = `
    import { a } from 'some where'
    type Kind = 'two words'
    const key = 'waiting'
    const pattern = new RegExp('no text')
    db.prepare('SELECT id FROM report')
    const element = <p className="wide row"> · </p>`
  expect(wordsOfSource('page.tsx', source)).toEqual([])
})

it('texts that a shell script prints are collected', () => {
  const script = `# echo 'a comment'\n[ -n "$a b" ] || echo 'no daemon is running' >&2\n`
  expect(wordsOfShell(script)).toEqual(['no daemon is running'])
})
