import { join } from 'node:path'
import type { Folders } from './folders.ts'
import { jsonInFile } from './plain-file.ts'

/** Of each key a digest of its value, which may be a secret, and when it was seen to change. */
export type SeenSettings = Readonly<
  Record<string, { readonly digest: string; readonly at: number | null }>
>

export function seenSettingsFile({ state }: Pick<Folders, 'state'>): string {
  return join(state, 'settings-seen.json')
}

/** None before the first daemon that kept one: what stands then is where it begins. */
export function seenSettings(file: string): SeenSettings | undefined {
  const found = jsonInFile(file)
  return typeof found === 'object' && found !== null ? (found as SeenSettings) : undefined
}
