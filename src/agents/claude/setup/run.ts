import { dataOf, parseSettings } from '../../../edit/document.ts'
import { valueIn } from '../../../edit/json-entries.ts'
import { checkHooks } from '../../../edit/json-hooks.ts'
import { EditRefused } from '../../../edit/refused.ts'
import { type Fields, fields, list } from '../../read.ts'
import type { RunContext, RunPlan } from '../../setup.ts'
import { BLOCK_CAP } from '../entries.ts'
import { handlerFor, wantedEvents } from '../events.ts'
import { SETTINGS_FILE } from './memory.ts'

/**
 * SPEC I13. One run with `--settings`: the user's own, with vigil's hooks after theirs. Of two
 * `--settings` the client uses one, the first (2.0.50, 2.1.100) or the last (2.1.220 and later), so
 * one file must have both. A hook that is in the user's settings file as well runs once.
 */
export function runWithHooks(given: readonly string[], place: RunContext): RunPlan {
  const { own, args } = ownSettingsIn(given)
  const settings = own === undefined ? {} : ownSettings(own, place)
  const hooks = { ...fields(settings.hooks) }
  for (const event of wantedEvents(place.version, place.allEvents)) {
    const handler = handlerFor(event, place.own.hook, place.version)
    hooks[event] = [...list(hooks[event]), { hooks: [handler] }]
  }
  const all = { ...settings, ...raisedCap(settings, place), hooks }
  return { args: ['--settings', place.file, ...args], text: JSON.stringify(all) }
}

/** The client uses the last of several. */
function ownSettingsIn(given: readonly string[]) {
  const args: string[] = []
  let own: string | undefined
  for (let i = 0; i < given.length; i++) {
    const arg = given[i] as string
    if (arg === '--') return { own, args: [...args, ...given.slice(i)] }
    if (arg === '--settings' && i + 1 < given.length) own = given[++i]
    else if (arg.startsWith('--settings=')) own = arg.slice('--settings='.length)
    else args.push(arg)
  }
  return { own, args }
}

/** SPEC LP40. These settings override all others, so a cap that the user set comes first. */
function raisedCap({ env: given }: Fields, { home, cwd, env, read }: RunContext): Fields {
  const { in: within, key, value } = BLOCK_CAP
  const isSet = Object.hasOwn(fields(given), key) || Boolean(env[key])
  const files = [SETTINGS_FILE, 'settings.local.json'].map((name) => `${cwd}/.claude/${name}`)
  if (isSet || [`${home}/${SETTINGS_FILE}`, ...files].some((path) => hasCap(path, read))) return {}
  return { [within]: { ...fields(given), [key]: value } }
}

function hasCap(path: string, read: RunContext['read']): boolean {
  try {
    const text = read(path)
    return text !== undefined && valueIn(parseSettings(text, path), BLOCK_CAP) !== undefined
  } catch {
    // A file that the client cannot read either has no cap.
    return false
  }
}

function ownSettings(own: string, { cwd, read }: RunContext): Fields {
  const inline = own.trimStart().startsWith('{')
  const name = inline ? '--settings' : own.startsWith('/') ? own : `${cwd}/${own}`
  const text = inline ? own : read(name)
  if (text === undefined) throw new EditRefused(`${name}: no such file; --settings names it`)
  if (text.replace(/^\uFEFF/, '').trim() === '') return {}
  const root = parseSettings(text, name)
  checkHooks(text, root, name)
  return fields(dataOf(root))
}
