import { writeFileSync } from 'node:fs'
import type { Conversation } from '../conversation.ts'
import { missingFor } from '../drive/missing.ts'
import { RECORDED, type Recorded } from '../record/shipped.ts'
import type { Result } from '../score/result.ts'
import { CONVERSATIONS } from '../scripts/all.ts'
import { mustBe } from './choose.ts'
import { playAll } from './play-all.ts'

const RECORDINGS = new URL('../../test/recordings/', import.meta.url)

/** The shipped recordings of these names, or of these conversations; all without any. */
export function recordedAs(names: readonly string[]): readonly Recorded[] {
  mustBe(
    names,
    RECORDED.flatMap(({ file, conversation }) => [file, conversation]),
  )
  return RECORDED.filter(
    ({ file, conversation }) =>
      names.length === 0 || names.includes(file) || names.includes(conversation),
  )
}

/** Plays them again; those that pass replace the recordings that the tests use. */
export async function recordAll(
  recorded: readonly Recorded[],
  jobs: number,
  tell: (text: string) => void,
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (const client of new Set(recorded.map((one) => one.client))) {
    const missing = missingFor(client)
    if (missing) tell(`the recordings of ${client} are left as they are: ${missing}\n`)
    const all = missing ? [] : recorded.filter((one) => one.client === client).map(playable)
    const keep = (name: string, { text, failed }: { text: string; failed?: Error }) => {
      if (!failed) writeFileSync(new URL(`${name}.jsonl`, RECORDINGS), text)
    }
    results.push(...(await playAll(all, { client, times: 1, jobs, live: undefined, tell, keep })))
  }
  return results
}

function playable({ file, conversation }: Recorded): Conversation {
  const found = CONVERSATIONS.find(({ name }) => name === conversation)
  if (!found) throw new Error(`${file}: no conversation is called ${conversation}`)
  return { ...found, name: file }
}
