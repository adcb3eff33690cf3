import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { SOURCES } from '../../core/signal.ts'
import { NotARecording, type Recording, readRecording } from '../../recording/read.ts'
import { BadInput } from './bad-input.ts'

/** How far a replay continues after the last line by default: the same as in the measurement. */
export const TAIL_DEFAULT_S = 20

export interface OpenedRecording {
  readonly recordings: readonly Recording[]
  /** Files were missing, empty, torn or not recordings; sets the exit code. */
  readonly failed: boolean
}

/** Opens the readable files; each other file gets one line on stderr. */
export function openRecordings(
  files: readonly string[],
  complain: (line: string) => void,
): OpenedRecording {
  const recordings: Recording[] = []
  let failed = false
  for (const file of files) {
    try {
      const recording = readRecording(file, read(file))
      failed ||= recording.torn
      if (recording.bad.length > 0) complain(`vigil: ${file}: ${aboutBad(recording)}`)
      recordings.push(recording)
    } catch (error) {
      if (!(error instanceof NotARecording || error instanceof BadInput)) throw error
      complain(`vigil: ${error.message}`)
      failed = true
    }
  }
  return { recordings, failed }
}

export function shortName(recording: Recording): string {
  return basename(recording.name).replace(/\.jsonl$/, '')
}

export function parseWithout(value: string): ReadonlySet<string> {
  const names = value.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !(SOURCES as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw new BadInput(
      `--without ${unknown}: no such source. The sources are ${SOURCES.join(', ')}`,
    )
  return new Set(names)
}

export function parseTail(value: string): number {
  const seconds = Number(value)
  if (value.trim() === '' || !Number.isFinite(seconds) || seconds < 0)
    throw new BadInput(`--tail ${value}: expected a number of seconds, 0 or more`)
  return seconds
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new BadInput(
      `${file}: ${code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`}`,
    )
  }
}

function aboutBad({ bad, torn, lines }: Recording): string {
  const played = lines.length
  if (torn && bad.length === 1)
    return `is incomplete: its last line (${bad[0]}) is cut off; the other ${played} were replayed`
  const count = bad.length === 1 ? '1 line' : `${bad.length} lines`
  return `${count} could not be read (the first is ${bad[0]}), the other ${played} were replayed`
}
