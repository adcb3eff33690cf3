import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { LOOP_STALE_MS } from '../../core/limits.ts'
import { addressOf } from '../../protocol/address.ts'
import type { LoopView } from '../../protocol/loop.ts'
import { spanOf } from '../../view/loop.ts'
import { plain } from '../../view/session.ts'
import { asked, BadInput } from './bad-input.ts'
import { whichLoop, whichSession } from './loop-which.ts'
import { out } from './output.ts'
import { reach } from './reach.ts'

interface Options {
  readonly json?: boolean
}

/** Prints the loop's document to standard output. */
export async function exportLoop(name: string | undefined): Promise<void> {
  const client = await reach()
  const { id } = await whichLoop(client, name, { over: true })
  const state = await asked(client.exportLoop(id))
  out.json(state)
}

/** `[session] file`: the last word is the file. */
export async function importLoop(words: readonly string[], { json }: Options): Promise<void> {
  const [file = '', name, ...rest] = words.toReversed()
  if (rest.length > 0)
    throw new BadInput(`${words.length} arguments: expected at most one session, and one file`)
  const state = await contentOf(file)
  const client = await reach()
  const session = await whichSession(client, name)
  const answer = await asked(client.importLoop(addressOf(session), state))
  const { mode, iteration, max } = answer.loop
  const line = `${plain(session.name, 40)}: ${mode} ${iteration}/${max} imported`
  if (json) out.json(answer)
  else out.line(`${line}; ${whatFollows(answer.loop)}`)
}

function whatFollows({ open, state, reason, updatedAt }: LoopView): string {
  if (!open) return `it is over (${(reason ?? state).toLowerCase()}): it does not continue`
  if (Date.now() - updatedAt <= LOOP_STALE_MS) return 'it continues when the agent stops next'
  return `it ends as stuck at the next stop: no iteration for ${spanOf(Date.now() - updatedAt)}`
}

const STATE_MAX_CHARS = 1_000_000

async function contentOf(file: string): Promise<string> {
  try {
    const state = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')
    if (state.length > STATE_MAX_CHARS)
      throw new BadInput(`${file}: longer than ${STATE_MAX_CHARS} characters`)
    return state
  } catch (error) {
    if (error instanceof BadInput) throw error
    const { code, message } = error as NodeJS.ErrnoException
    throw new BadInput(`${file}: ${code === 'ENOENT' ? 'no such file' : message}`)
  }
}
