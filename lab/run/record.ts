import { mkdirSync, writeFileSync } from 'node:fs'
import type { Titled } from '../conversation.ts'
import type { Recorded } from '../record/shipped.ts'
import type { Result } from '../score/result.ts'
import type { LabAgent } from './agents.ts'
import { mustBe } from './choose.ts'
import { playAll } from './play-all.ts'

/** The shipped recordings of these names, or of these conversations; all without any. */
export function recordedAs(agent: LabAgent, names: readonly string[]): readonly Recorded[] {
  mustBe(
    names,
    agent.recorded.flatMap(({ file, conversation }) => [file, conversation]),
  )
  return agent.recorded.filter(
    ({ file, conversation }) =>
      names.length === 0 || names.includes(file) || names.includes(conversation),
  )
}

/** Plays them again; those that pass replace the recordings that the tests use. */
export async function recordAll(
  agent: LabAgent,
  recorded: readonly Recorded[],
  jobs: number,
  tell: (text: string) => void,
): Promise<readonly Result[]> {
  const results: Result[] = []
  mkdirSync(agent.recordings, { recursive: true })
  for (const client of new Set(recorded.map((one) => one.client))) {
    const missing = agent.missing(client)
    if (missing) tell(`the recordings of ${client} are left as they are: ${missing}\n`)
    const own = missing ? [] : recorded.filter((one) => one.client === client)
    const all = own.map((one) => playable(agent, one))
    const keep = (name: string, { text, failed }: { text: string; failed?: Error }) => {
      if (!failed) writeFileSync(new URL(`${name}.jsonl`, agent.recordings), text)
    }
    const { playOne } = agent
    const options = { playOne, client, times: 1, jobs, live: undefined, tell, keep }
    results.push(...(await playAll(all, options)))
  }
  return results
}

function playable({ conversations }: LabAgent, { file, conversation }: Recorded): Titled {
  const found = conversations.find(({ name }) => name === conversation)
  if (!found) throw new Error(`${file}: no conversation is called ${conversation}`)
  return { ...found, name: file }
}
