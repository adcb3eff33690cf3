import { parseJson } from '../../core/json.ts'
import type { ClientVersions } from '../agent.ts'
import { fields, textIn } from '../read.ts'

/** SPEC CX28. A rollout names its client in its first line, a package in a file or a folder. */
export const codexVersions: ClientVersions = {
  inRecord: (record) => {
    const { type, payload } = fields(record)
    return type === 'session_meta' ? plainVersion(fields(payload).cli_version) : undefined
  },
  ofProgram(program, read) {
    if (!PROGRAM.test(program)) return undefined
    const released = RELEASE.exec(program)?.[1]
    if (released !== undefined) return released
    // npm: `bin/codex.js`, or `vendor/<system>/bin/codex` of the system's package.
    for (let at = 1, place = program; at <= LEVELS_MAX; at++) {
      place = place.slice(0, place.lastIndexOf('/'))
      const { name, version } = fields(parseJson(read(`${place}/package.json`) ?? ''))
      if (name === '@openai/codex') return plainVersion(version)
    }
    return undefined
  },
}

const PROGRAM = /\/codex(\.js)?$/

/** The client's own installer and daemon, and Homebrew. */
const RELEASE = /\/(?:releases|Cellar\/codex|Caskroom\/codex)\/(\d+\.\d+\.\d+)[^/]*\//

const LEVELS_MAX = 4

/** `0.166.0-linux-x64` is the package of one system. */
function plainVersion(given: unknown): string | undefined {
  return /^(\d+\.\d+\.\d+)(?:-(?:linux|darwin|win32)-\w+)?$/.exec(textIn(given) ?? '')?.[1]
}
