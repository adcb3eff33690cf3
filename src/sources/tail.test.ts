import {
  appendFileSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CHUNK_MAX_BYTES, LINE_MAX_BYTES, TAIL_BYTES, Tail } from './tail.ts'

let folder = ''
let path = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-tail-'))
  path = join(folder, 'a.jsonl')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const inode = () => {
  const { ino, birthtimeNs } = statSync(path, { bigint: true })
  return `${ino}@${birthtimeNs}`
}
const textOf = (tail: Tail) => readOn(tail).map(({ text }) => text)

/** Everything there is, chunk by chunk. */
function readOn(tail: Tail) {
  const lines = []
  for (let more = true; more; ) {
    const read = tail.read()
    expect(read.bytes).toBeLessThanOrEqual(CHUNK_MAX_BYTES)
    lines.push(...read.lines)
    more = read.more
  }
  return lines
}

describe('whole lines', () => {
  it('[S17] come with the place behind them; a torn one waits', () => {
    writeFileSync(path, 'one\n\ntwo\nthr')
    const tail = new Tail(path, undefined, true)
    expect(readOn(tail)).toEqual([
      { text: 'one', cursor: { path, inode: inode(), offset: 4 } },
      { text: 'two', cursor: { path, inode: inode(), offset: 9 } },
    ])
    expect(textOf(tail)).toEqual([])
    appendFileSync(path, 'ee\nfo')
    expect(readOn(tail)).toEqual([{ text: 'three', cursor: { path, inode: inode(), offset: 15 } }])
  })

  it('[S17] are the same however the file grew and wherever it was cut', () => {
    const growth = fc.array(fc.string({ unit: fc.constantFrom('a', 'ä', '𝄞', '\n') }))
    fc.assert(
      fc.property(growth, fc.nat(), (pieces, restart) => {
        rmSync(path, { force: true })
        writeFileSync(path, '')
        let tail = new Tail(path, undefined, true)
        const lines: ReturnType<typeof readOn> = []
        for (const [i, piece] of pieces.entries()) {
          const bytes = Buffer.from(piece)
          // Also in the middle of a character.
          appendFileSync(path, bytes.subarray(0, bytes.length >> 1))
          lines.push(...readOn(tail))
          appendFileSync(path, bytes.subarray(bytes.length >> 1))
          lines.push(...readOn(tail))
          if (i === restart % 5) tail = new Tail(path, lines.at(-1)?.cursor, true)
        }
        const whole = pieces.join('').split('\n').slice(0, -1)
        expect(lines.map(({ text }) => text)).toEqual(whole.filter((line) => line !== ''))
      }),
    )
  })

  it('[S21] longer than a chunk are put together, up to the limit', () => {
    const long = 'x'.repeat(LINE_MAX_BYTES)
    writeFileSync(path, `a\n${long}\nb\n`)
    expect(textOf(new Tail(path, undefined, true)).map(({ length }) => length)).toEqual([
      1,
      LINE_MAX_BYTES,
      1,
    ])
  })

  it('[S20] beyond the limit are left out, and said so; what follows is read', () => {
    writeFileSync(path, `a\n${'x'.repeat(LINE_MAX_BYTES + CHUNK_MAX_BYTES + 5)}\nb\n`)
    const tail = new Tail(path, undefined, true)
    const reads = [tail.read()]
    while (reads.at(-1)?.more) reads.push(tail.read())
    expect(reads.flatMap(({ lines }) => lines.map(({ text }) => text))).toEqual(['a', 'b'])
    expect(reads.filter(({ problem }) => problem)).toHaveLength(1)
  })

  it('[S17] torn and long are read again from their beginning', () => {
    const tail = new Tail(path, undefined, true)
    writeFileSync(path, 'x'.repeat(CHUNK_MAX_BYTES + 100_000))
    expect(textOf(tail)).toEqual([])
    appendFileSync(path, 'y\nz\n')
    expect(textOf(tail)).toEqual([`${'x'.repeat(CHUNK_MAX_BYTES + 100_000)}y`, 'z'])
  })
})

describe('where reading begins', () => {
  const line = `${'x'.repeat(99)}\n`
  const many = 30_000

  it('[S18] at the beginning of a file that appeared, at the last MB of an old one', () => {
    writeFileSync(path, line.repeat(many))
    expect(textOf(new Tail(path, undefined, true))).toHaveLength(many)
    const tail = textOf(new Tail(path, undefined, false))
    expect(tail).toHaveLength(Math.floor(TAIL_BYTES / 100))
    expect(new Set(tail.map(({ length }) => length))).toEqual(new Set([99]))
  })

  it('[S18] a line that begins just there is not taken for a part of one', () => {
    const rest = `${'y'.repeat(TAIL_BYTES - 1)}\n`
    writeFileSync(path, `begin\n${rest}`)
    expect(textOf(new Tail(path, undefined, false))).toEqual([rest.trim()])
  })

  it('[S17] at the cursor, if it is the cursor of this very file', () => {
    writeFileSync(path, 'one\ntwo\n')
    const at = (given: object) => ({ path, inode: inode(), offset: 4, ...given })
    expect(textOf(new Tail(path, at({}), false))).toEqual(['two'])
    expect(textOf(new Tail(path, at({ offset: 8 }), false))).toEqual([])
    for (const other of [at({ inode: '1' }), at({ offset: 9 })])
      expect(textOf(new Tail(path, other, false))).toEqual(['one', 'two'])
  })
})

describe('a file that', () => {
  it('[S19] shrank begins anew', () => {
    writeFileSync(path, 'one\ntwo\n')
    const tail = new Tail(path, undefined, true)
    readOn(tail)
    truncateSync(path, 0)
    expect(textOf(tail)).toEqual([])
    appendFileSync(path, 'new\n')
    expect(textOf(tail)).toEqual(['new'])
  })

  it('[S19] was replaced begins anew, also under the same inode', () => {
    writeFileSync(path, 'one\ntwo\n')
    const tail = new Tail(path, undefined, true)
    readOn(tail)
    rmSync(path)
    writeFileSync(path, 'uno\ndue\ntre\n')
    expect(textOf(tail)).toEqual(['uno', 'due', 'tre'])
    writeFileSync(`${path}.2`, 'another one\nanother two\n')
    renameSync(`${path}.2`, path)
    expect(textOf(tail)).toEqual(['another one', 'another two'])
  })

  it('[S20] is gone, a link or a folder gives nothing', () => {
    expect(new Tail(path, undefined, true).read().gone).toBe(true)
    symlinkSync('/etc/hostname', path)
    expect(new Tail(path, undefined, true).read()).toMatchObject({ lines: [], more: false })
    expect(new Tail(folder, undefined, true).read().problem).toContain('a folder')
  })
})
