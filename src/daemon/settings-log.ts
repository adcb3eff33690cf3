import type { Folders } from '../home/folders.ts'
import { writePrivate } from '../home/private-file.ts'
import { type SeenSettings, seenSettings, seenSettingsFile } from '../home/seen-settings.ts'
import type { Settings } from '../home/settings.ts'
import type { Complain } from '../sources/arrival.ts'
import { sha256 } from '../store/chain.ts'
import type { LiveSettings } from './live-settings.ts'
import type { ActRecorder } from './requests/shapes.ts'

interface Parts {
  readonly settings: LiveSettings
  readonly acts: Pick<ActRecorder, 'note'>
  readonly folders: Pick<Folders, 'state'>
  readonly now: () => number
  readonly complain: Complain
}

/**
 * SPEC WD15. Logs changes of the settings that send data elsewhere, or control who may decide:
 * since the last daemon, and while the settings are followed. Values are not logged.
 */
export function followGuarded(parts: Parts): void {
  note(parts, parts.settings.now)
  parts.settings.follow((settings) => note(parts, settings))
}

function note({ acts, folders, now, complain }: Parts, settings: Settings): void {
  const file = seenSettingsFile(folders)
  try {
    const before = seenSettings(file)
    const values = guardedIn(settings)
    const changed = before ? changesIn(before, values) : []
    if (before && changed.length === 0) return
    const words = changed.map(({ key, how }) => `${how} ${key}`).join(', ')
    const by = { who: 'settings.json', where: 'daemon' } as const
    if (changed.length > 0) acts.note({ session: '', what: 'settings', ...by, words })
    const keys = new Set(changed.map(({ key }) => key))
    const after = [...values].map(([key, digest]) => {
      const at = keys.has(key) ? now() : (before?.[key]?.at ?? null)
      return [key, { digest, at }]
    })
    writePrivate(file, `${JSON.stringify(Object.fromEntries(after))}\n`)
  } catch (error) {
    complain('a change of the settings could not be written to the audit log', {
      why: (error as Error).message,
    })
  }
}

const KEY_MAX_CHARS = 60

function guardedIn({ answers, share, notify }: Settings): ReadonlyMap<string, string> {
  const { channels } = notify as { readonly channels?: unknown }
  const listed = Array.isArray(channels) ? channels : []
  const values: [string, unknown][] = [
    ['answers.on', answers.on],
    ['share.origins', share.origins],
    ['notify.on', notify.on],
    ...listed.flatMap((channel: unknown, n): [string, unknown][] => {
      const { name = n, secrets } = (channel ?? {}) as Readonly<Record<string, unknown>>
      const key = `notify.channels.${String(name).slice(0, KEY_MAX_CHARS)}`
      return secrets === true
        ? [
            [key, channel],
            [`${key}.secrets`, true],
          ]
        : [[key, channel]]
    }),
  ]
  return new Map(values.map(([key, value]) => [key, sha256(JSON.stringify(value))]))
}

function changesIn(before: SeenSettings, values: ReadonlyMap<string, string>) {
  const gone = Object.keys(before).filter((key) => !values.has(key))
  return [
    ...[...values].flatMap(([key, digest]) => {
      if (before[key]?.digest === digest) return []
      return { key, how: before[key] ? 'changed' : 'added' }
    }),
    ...gone.map((key) => ({ key, how: 'removed' })),
  ]
}
