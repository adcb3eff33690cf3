import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedLine } from '../../../src/agents/truth-reader.ts'
import { namesIn } from '../../record/recorder.ts'

/** Longer is no sequence, but output that happens to hold its beginning. */
const OPEN_MAX_CHARS = 4_000

interface Stream {
  offset: number
  rest: string
  title: string
}

/**
 * What the clients write to their terminals: the word of their state (OSC 7501), which tmux drops,
 * and their titles.
 */
export class RawOutput {
  readonly #root: string
  readonly #streams = new Map<string, Stream>()

  constructor(root: string) {
    this.#root = root
  }

  look(): RecordedLine[] {
    return namesIn(this.#root)
      .filter((name) => name.startsWith('raw-'))
      .flatMap((name) => this.#grown(name))
  }

  #grown(name: string): RecordedLine[] {
    const stream = this.#streams.get(name) ?? { offset: 0, rest: '', title: '' }
    this.#streams.set(name, stream)
    const added = readFrom(join(this.#root, name), stream)
    if (added === '') return []
    const text = stream.rest + added
    const t = Date.now()
    const pane = `%${name.slice('raw-'.length)}`
    let end = 0
    const lines = [...text.matchAll(SEQUENCE)].flatMap((found) => {
      end = found.index + found[0].length
      return lineOf(Buffer.from(found[1] ?? '', 'latin1').toString('utf8'), stream, { t, pane })
    })
    const open = text.lastIndexOf('\u001b]')
    const isOpen = open >= end && text.length - open < OPEN_MAX_CHARS
    stream.rest = isOpen ? text.slice(open) : text.endsWith('\u001b') ? '\u001b' : ''
    return lines
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are made of them
const SEQUENCE = /\u001b\]([^\u0007\u001b]*)(?:\u0007|\u001b\\)/g

/** The signs in a title turn and blink; only the first of each kind is kept. */
function lineOf(
  sequence: string,
  stream: Stream,
  place: { readonly t: number; readonly pane: string },
): RecordedLine[] {
  if (sequence.startsWith('7501;')) return [{ ...place, source: 'osc', seq: sequence }]
  const title = /^[02];(.*)$/s.exec(sequence)?.[1]
  if (title === undefined) return []
  const kind = title.replace(/^[\u2801-\u28ff]/, '~').replace(/^\[ [!.] \]/, '[!]')
  if (kind === stream.title) return []
  stream.title = kind
  return [{ ...place, source: 'title', title }]
}

/** Bytes as they are: a sequence may be cut in the middle of a letter. */
function readFrom(path: string, stream: Stream): string {
  if (!existsSync(path)) return ''
  const file = openSync(path, 'r')
  try {
    const read = Buffer.alloc(Math.max(0, fstatSync(file).size - stream.offset))
    const length = readSync(file, read, 0, read.length, stream.offset)
    stream.offset += length
    return read.subarray(0, length).toString('latin1')
  } finally {
    closeSync(file)
  }
}
