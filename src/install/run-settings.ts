import { resolve } from 'node:path'
import { getNodeValue } from 'jsonc-parser'
import { eventsFor, handlerFor } from '../agents/claude/events.ts'
import { parseSettings } from './document.ts'
import { readSettings } from './files.ts'
import { checkHooks } from './hooks.ts'
import { isBlank } from './own.ts'
import { Refused } from './refused.ts'

export interface RunSettingsOptions {
  /** The script that `writeHooks` wrote. */
  readonly hook: string
  readonly version?: string | undefined
  /** What the user gave with `--settings` of their own: a file, or JSON. */
  readonly own?: string | undefined
  readonly cwd: string
}

type Settings = Record<string, unknown>

/**
 * SPEC I13. Settings for one run with `--settings`: the user's own, vigil's hooks behind theirs.
 * Of two `--settings` the client takes one, the first (2.0.50, 2.1.100) or the last (2.1.220 and
 * later), so both have to be in it. A hook that is in the user's settings file as well runs once.
 */
export function runSettings({ hook, version, own, cwd }: RunSettingsOptions): Settings {
  const settings = own === undefined ? {} : ownSettings(own, cwd)
  const hooks = { ...(settings.hooks as Record<string, unknown[]> | undefined) }
  for (const event of eventsFor(version))
    hooks[event] = [...(hooks[event] ?? []), { hooks: [handlerFor(event, hook, version)] }]
  return { ...settings, hooks }
}

function ownSettings(own: string, cwd: string): Settings {
  const inline = own.trimStart().startsWith('{')
  const name = inline ? '--settings' : resolve(cwd, own)
  const text = inline ? own : readSettings(name).text
  if (text === undefined) throw new Refused(`${name}: no such file, as given by --settings`)
  if (isBlank(text)) return {}
  const root = parseSettings(text, name)
  checkHooks(text, root, name)
  return getNodeValue(root)
}
