import { describe, expect, it } from 'vitest'
import { NotARecording, readRecording, reportsOf } from './read.ts'

const HOOK = '{"t":1000,"source":"hook","payload":{"hook_event_name":"Stop"}}'
const SCREEN = '{"t":2000,"source":"screen","pane":"%0","text":"$"}'
const META = '{"t":900,"source":"meta","agent":"claude"}'

function read(...lines: string[]) {
  return readRecording('run.jsonl', lines.map((line) => `${line}\n`).join(''))
}

function times(lines: readonly { t: number }[]): number[] {
  return lines.map(({ t }) => t)
}

describe('a file that can be played', () => {
  it('gives its lines as they were written', () => {
    const recording = read(META, HOOK, SCREEN)
    expect(recording.name).toBe('run.jsonl')
    expect(recording.lines).toEqual([META, HOOK, SCREEN].map((line) => JSON.parse(line)))
    expect(recording.bad).toEqual([])
    expect(recording.torn).toBe(false)
  })

  it('may lack the newline at its end', () => {
    const recording = readRecording('run.jsonl', `${HOOK}\n${SCREEN}`)
    expect(times(recording.lines)).toEqual([1000, 2000])
    expect(recording).toMatchObject({ bad: [], torn: false })
  })

  it('may have blank lines and the line ends of another system', () => {
    const recording = readRecording('run.jsonl', `\n${HOOK}\r\n  \r\n${SCREEN}\r\n\n`)
    expect(times(recording.lines)).toEqual([1000, 2000])
    expect(recording).toMatchObject({ bad: [], torn: false })
  })

  it('comes in the order of its times, and keeps what happened at once as it stood', () => {
    const again = '{"t":1000,"source":"process","pid":7,"alive":true}'
    const recording = read(SCREEN, HOOK, again, META)
    expect(recording.lines.map(({ source }) => source)).toEqual([
      'meta',
      'hook',
      'process',
      'screen',
    ])
  })

  it('keeps what the recorder noted beside the reports', () => {
    const action = '{"t":1500,"source":"action","what":"key","value":"Enter"}'
    const vigil = '{"t":1600,"source":"vigil","state":"idle"}'
    expect(read(META, HOOK, action, vigil).lines).toHaveLength(4)
  })
})

describe('a file with lines that cannot be read', () => {
  it('is torn when it breaks off in its last line', () => {
    const recording = readRecording('run.jsonl', `${HOOK}\n${SCREEN.slice(0, -9)}`)
    expect(times(recording.lines)).toEqual([1000])
    expect(recording).toMatchObject({ bad: [2], torn: true })
  })

  it('is not torn by a bad last line that was written to its end', () => {
    expect(read(HOOK, 'nonsense')).toMatchObject({ bad: [2], torn: false })
  })

  it('is not torn by bad lines in the middle of a file without a last newline', () => {
    const recording = readRecording('run.jsonl', `${HOOK}\nnonsense\n${SCREEN}`)
    expect(recording).toMatchObject({ bad: [2], torn: false })
  })

  it('counts them by their number in the file, blank lines included', () => {
    const recording = read('nonsense', HOOK, '', '{"t":1', SCREEN, '[]')
    expect(recording.bad).toEqual([1, 4, 6])
    expect(times(recording.lines)).toEqual([1000, 2000])
  })

  it.each([
    '"text"',
    'null',
    '17',
    '[{"t":1,"source":"hook"}]',
    '{"source":"hook"}',
    '{"t":"1000","source":"hook"}',
    '{"t":1e999,"source":"hook"}',
    '{"t":1000}',
    '{"t":1000,"source":7}',
    '{"t":1000,"source":"telepathy"}',
    '{"t":1000,"source":"__proto__"}',
  ])('counts %s as bad', (line) => {
    expect(read(HOOK, line).bad).toEqual([2])
  })
})

describe('a file with nothing to play', () => {
  it.each([
    ['is empty', ''],
    ['has only blank lines', '\n  \n\r\n'],
  ])('%s: refused as empty', (_, content) => {
    expect(() => readRecording('run.jsonl', content)).toThrow(NotARecording)
    expect(() => readRecording('run.jsonl', content)).toThrow(/^run\.jsonl: is empty/)
  })

  it.each([
    ['not JSON', 'Dear diary,\ntoday I recorded nothing.\n', 'line 1'],
    ['JSON, but no recording', '\n{"name":"agent-vigil","version":"0.1.0"}\n', 'line 2'],
    ['its only line is torn', HOOK.slice(0, 20), 'line 1'],
    ['only notes of the recorder', `${META}\n`, 'it has no report like'],
  ])('%s: refused, with what is wrong in one line', (_, content, why) => {
    expect(() => readRecording('run.jsonl', content)).toThrow(NotARecording)
    expect(() => readRecording('run.jsonl', content)).toThrow(
      new RegExp(`^run\\.jsonl: is not a recording \\(${why}.*\\)$`),
    )
  })
})

describe('what vigil may see of a run', () => {
  const recording = read(META, HOOK, SCREEN)
  const sources = (without?: ReadonlySet<string>) =>
    reportsOf(recording, without).map(({ source }) => source)

  it('is its reports, not the notes of the recorder', () => {
    expect(sources()).toEqual(['hook', 'screen'])
  })

  it('leaves out the given sources', () => {
    expect(sources(new Set(['hook']))).toEqual(['screen'])
    expect(sources(new Set(['registry']))).toEqual(['hook', 'screen'])
    expect(sources(new Set(['hook', 'screen']))).toEqual([])
  })
})
