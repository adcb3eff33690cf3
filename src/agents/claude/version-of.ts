import { parseJson } from '../../core/json.ts'
import type { ClientVersions } from '../agent.ts'
import { fields } from '../read.ts'

const VERSION = /^\d+\.\d+\.\d+$/
const PACKAGE = /^@anthropic-ai\/claude-code(-|$)/

/** Registry files and most entries of a transcript name the version of their client. */
export const versions: ClientVersions = {
  inRecord: (record) => versionIn(fields(record).version),
  ofProgram(program, read) {
    // Its own installer stores each version as one file of that name.
    const native = /\/claude\/versions\/([^/]+)$/.exec(program)?.[1]
    if (native !== undefined) return versionIn(native)
    const folder = parentOf(program)
    for (const place of [folder, parentOf(folder)]) {
      const { name, version } = fields(parseJson(read(`${place}/package.json`) ?? ''))
      if (typeof name === 'string' && PACKAGE.test(name)) return versionIn(version)
    }
    return undefined
  },
}

function versionIn(value: unknown): string | undefined {
  return typeof value === 'string' && VERSION.test(value) ? value : undefined
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}
