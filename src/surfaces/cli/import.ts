import type { Client } from '../../client/client.ts'
import { BadRequest, DaemonFailed } from '../../client/errors.ts'
import { type Recording, reportsOf } from '../../recording/read.ts'
import { BadInput } from './bad-input.ts'
import { err, out } from './output.ts'
import { reach } from './reach.ts'
import { openRecordings, shortName } from './recordings.ts'

export interface ImportOptions {
  readonly name?: string
  readonly json?: boolean
}

interface Imported {
  readonly file: string
  readonly name: string
  readonly sessions: readonly string[]
}

/** A name is the beginning of ids, and users type it. */
const NAME_MAX_CHARS = 100

export async function importRecordings(
  files: readonly string[],
  options: ImportOptions,
): Promise<void> {
  if (options.name !== undefined && files.length > 1)
    throw new BadInput(
      `--name ${options.name}: can name one recording only, but there are ${files.length}`,
    )
  const { recordings, failed } = openRecordings(files, (line) => err.line(line))
  const client = recordings.length === 0 ? undefined : await reach()
  for (const recording of recordings) {
    const name = options.name ?? shortName(recording)
    const imported = client && (await importOne(client, recording, name))
    if (imported) print(imported, options.json === true)
  }
  if (failed) process.exitCode = 2
}

async function importOne(client: Client, recording: Recording, name: string): Promise<Imported> {
  if (name === '' || name.length > NAME_MAX_CHARS || /\p{Cc}/u.test(name))
    throw new BadInput(
      `--name: expected 1 to ${NAME_MAX_CHARS} characters without control characters`,
    )
  const { sessions: known } = await client.sessions({ all: true })
  const { host } = await client.health()
  if (name === host || known.some((session) => session.host === name))
    throw new BadInput(
      `${recording.name}: the log already has sessions from ${name}; choose another --name`,
    )
  try {
    const { sessions } = await client.import(name, reportsOf(recording))
    return { file: recording.name, name, sessions }
  } catch (error) {
    if (!(error instanceof BadRequest || error instanceof DaemonFailed)) throw error
    throw new BadInput(`${recording.name}: ${error.message}`)
  }
}

function print(imported: Imported, json: boolean): void {
  if (json) out.jsonLine(imported)
  else out.lines(imported.sessions)
}
