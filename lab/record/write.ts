import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import type { Place } from '../drive/place.ts'

/** What a recording says of itself in its first line. */
export interface Meta {
  readonly agent?: string
  readonly version: string
  readonly plan: string
  readonly shows: string
}

/** Wherever the project is. */
const CLIENTS = /\/[^"\s]*?\/\.cache\/clients\b/g

/** A recording as text: `/lab` replaces the folder of the run and that of the clients. */
export function recordingText(meta: Meta, lines: readonly RecordedLine[], place: Place): string {
  const first = { t: lines[0]?.t ?? 0, source: 'meta', agent: 'claude', ...meta }
  const text = [first, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
  const own = text.replaceAll(place.root, '/lab').replaceAll(folderNameOf(place.root), '-lab')
  return own.replaceAll(CLIENTS, '/lab/clients')
}

/** As the client makes one name of a path. */
function folderNameOf(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9]/g, '-')
}
