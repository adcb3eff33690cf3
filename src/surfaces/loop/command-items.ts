import type { Item } from '../../core/loop/run.ts'
import { cleanLine, idOf, itemOf, listIn, SourceTrouble } from './clean.ts'
import { runGroup } from './run-group.ts'

const ANSWER_MAX_MS = 60_000
const OUTPUT_MAX_BYTES = 4_000_000
/** More than any run takes. */
const ITEMS_MAX = 10_000

/** The JSON array that a command prints: texts, or objects with id, title and text. */
export async function commandItems(command: string, cwd: string): Promise<readonly Item[]> {
  const fail = (why: string): never => {
    throw new SourceTrouble(`${cleanLine(command, 100)}: ${why}`)
  }
  const options = { cwd, timeoutMs: ANSWER_MAX_MS, keptBytesMax: OUTPUT_MAX_BYTES }
  const ran = await runGroup('/bin/sh', ['-c', command], options)
  const { exitCode, stdout, stderr, cut, timedOut, trouble } = ran
  if (trouble) return fail(trouble)
  if (timedOut) return fail(`did not end within ${ANSWER_MAX_MS / 1000} s`)
  if (exitCode !== 0) return fail(`exit code ${exitCode}${told(stderr)}`)
  if (cut) return fail(`printed more than ${OUTPUT_MAX_BYTES / 1_000_000} MB`)
  const list = listIn(stdout)
  if (!list) return fail(`expected a JSON array on its output${got(stdout)}`)
  if (list.length > ITEMS_MAX) return fail(`${list.length} items, more than ${ITEMS_MAX}`)
  return list.map((entry, at) => itemIn(entry) ?? fail(`entry ${at + 1} is ${kindOf(entry)}`))
}

function itemIn(entry: unknown): Item | undefined {
  if (typeof entry === 'string') return itemOf(idOf(entry), firstLine(entry), rest(entry))
  const { id, title, text } = (entry ?? {}) as Record<string, unknown>
  if (typeof title !== 'string') return undefined
  const own = typeof id === 'string' || typeof id === 'number' ? String(id) : idOf(title)
  return itemOf(own, title, typeof text === 'string' ? text : undefined)
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? ''
}

function rest(text: string): string {
  return text.trim().slice(firstLine(text).length)
}

function kindOf(entry: unknown): string {
  if (typeof entry === 'string') return 'an empty text'
  const isObject = typeof entry === 'object' && entry !== null && !Array.isArray(entry)
  return `${isObject ? 'an object without a title' : 'neither text nor object'}: ${expected}`
}

const expected = 'expected "text" or {"id":…,"title":"…","text":"…"}'

function told(stderr: string): string {
  const line = cleanLine(stderr.trim().split('\n').at(-1) ?? '', 200)
  return line === '' ? '' : ` (${line})`
}

function got(stdout: string): string {
  const line = cleanLine(stdout, 60)
  return line === '' ? ', got nothing' : `, got ${line}`
}
