import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

export interface SourceFile {
  /** From the project's root, with forward slashes. */
  readonly path: string
  readonly text: string
}

/** Files of the project that match, without what is installed or built. */
export function filesOf(pattern: string): readonly SourceFile[] {
  return globSync(pattern, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(root + path, 'utf8') }))
}

export function fileOf(path: string): SourceFile {
  return { path, text: readFileSync(root + path, 'utf8') }
}
