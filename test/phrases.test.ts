import { expect, it } from 'vitest'
import { filesOf, type SourceFile } from './support/files.ts'

/** Phrases that do not name what acts. docs/glossary.md says what to write instead. */
const PHRASES: Readonly<Record<string, RegExp>> = {
  whoever: /\bwhoever\b/i,
  'would else': /\bwould else\b/i,
  'is told': /\b(is|was|are|were) told\b(?! apart)/i,
  nobody: /(^|[\p{L},.:;*/] )nobody [\p{L}]/iu,
  'who without a noun': /(^\s*|[.;:] |\/\/ |\* )who (?!is there|.*\?)\p{L}/iu,
}

/** These list the phrases, quote what agents say, or are recordings of clients. */
const EXCEPT = [
  'docs/glossary.md',
  'demo/story.txt',
  'test/phrases.test.ts',
  'test/recordings/',
  'test/support/fable/',
  'test/tui/tmux.test.ts',
]

const files = [
  ...filesOf('{*,{src,bin,plugin,lab,bench,test,tools,demo,docs}/**/*}.{ts,tsx,js,md}'),
  ...filesOf('hook/*'),
]

it('no file says what acts by a phrase without a noun', () => {
  const read = files.filter(({ path }) => !EXCEPT.some((start) => path.startsWith(start)))
  expect(read.length).toBeGreaterThan(1_000)
  expect(read.flatMap(phrasesIn)).toEqual([])
})

it.each([
  ['whoever', 'Whoever asks first'],
  ['would else', 'which would else be lost'],
  ['is told', 'the agent is told to go on'],
  ['nobody', 'a dialog that nobody answers'],
  ['who without a noun', 'Who looks away is notified.'],
])('%s is found', (name, text) => {
  expect(phrasesIn({ path: 'a.md', text })).toEqual([`a.md:1: ${name}`])
})

it.each([
  'the user who looks away',
  'Who is there?',
  'two lines that can be told apart',
  "const nobody = session('nobody')",
])('%s is allowed', (text) => {
  expect(phrasesIn({ path: 'a.md', text })).toEqual([])
})

function phrasesIn({ path, text }: SourceFile): readonly string[] {
  return text.split('\n').flatMap((line, i) => {
    const found = Object.entries(PHRASES).filter(([, phrase]) => phrase.test(line))
    return found.map(([name]) => `${path}:${i + 1}: ${name}`)
  })
}
