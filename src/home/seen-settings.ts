import { join } from 'node:path'
import type { Folders } from './folders.ts'
import { jsonInFile } from './plain-file.ts'

/** A digest of each key's value, which may be a secret, and when it changed. */
export type SeenSettings = Readonly<
  Record<string, { readonly digest: string; readonly at: number | null }>
>

export function seenSettingsFile({ state }: Pick<Folders, 'state'>): string {
  return join(state, 'settings-seen.json')
}

/** Undefined before the first daemon that stored one: the present settings are the baseline. */
export function seenSettings(file: string): SeenSettings | undefined {
  const found = jsonInFile(file)
  return typeof found === 'object' && found !== null ? (found as SeenSettings) : undefined
}
