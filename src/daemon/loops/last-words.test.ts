import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { lastWordsIn } from './last-words.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-words-'))
const project = join(folder, 'projects', 'p')
const path = join(project, 'one.jsonl')
mkdirSync(project, { recursive: true })
afterAll(() => rmSync(folder, { recursive: true }))

const said = (text: string, stop: string | null) => {
  const message = { id: 'm', stop_reason: stop, content: [{ type: 'text', text }] }
  return `${JSON.stringify({ type: 'assistant', message })}\n`
}

it('reads the end of a transcript, however long it is', async () => {
  writeFileSync(path, said('x'.repeat(3_000_000), 'end_turn') + said('The end.', 'end_turn'))
  expect(await lastWordsIn({ agent: 'claude', transcript: path })).toMatch(/The end\.$/)
})

it('waits for a message that is still being written', async () => {
  writeFileSync(path, said('Not', null))
  setTimeout(() => appendFileSync(path, said('yet.', 'end_turn')), 120)
  expect(await lastWordsIn({ agent: 'claude', transcript: path })).toBe('Not\nyet.')
})

it('gives nothing where there is nothing to be read', async () => {
  expect(
    await lastWordsIn({ agent: 'claude', transcript: join(project, 'none.jsonl') }),
  ).toBeUndefined()
})
