import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { PROMPT_MAX_CHARS } from '../../core/limits.ts'
import { BadInput } from './bad-input.ts'

interface Prompt {
  readonly prompt: string | null
  readonly promptFile: string | null
}

/** The task of the agent, in words or from a file; `-` is standard input. */
export async function promptOf(given: string | undefined, file: string | undefined) {
  if (given !== undefined && file !== undefined)
    throw new BadInput('--prompt and --prompt-file: use only one of them')
  if (file === undefined) return { prompt: given ?? null, promptFile: null } satisfies Prompt
  const path = file === '-' ? null : resolve(file)
  const prompt = checkedPrompt('--prompt-file', await contentOf(path))
  return { prompt, promptFile: path } satisfies Prompt
}

export function checkedPrompt(option: string, text: string): string {
  if (text.trim() === '') throw new BadInput(`${option}: is empty`)
  if (text.length > PROMPT_MAX_CHARS)
    throw new BadInput(
      `${option}: ${text.length} characters; at most ${PROMPT_MAX_CHARS} ` +
        '(put the rest into a file and name it in the prompt)',
    )
  if (text.includes('\0')) throw new BadInput(`${option}: expected text, found a null character`)
  return text.trim()
}

/** Reads only a little beyond the limit: a device or a pipe may never end. */
async function contentOf(path: string | null): Promise<string> {
  const input = path === null ? process.stdin : createReadStream(path)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > PROMPT_MAX_CHARS * 4)
        throw new BadInput(`--prompt-file: longer than ${PROMPT_MAX_CHARS} characters`)
    }
  } catch (error) {
    if (error instanceof BadInput) throw error
    const { code, message } = error as NodeJS.ErrnoException
    throw new BadInput(`--prompt-file ${path}: ${code === 'ENOENT' ? 'no such file' : message}`)
  }
  return Buffer.concat(chunks).toString()
}
