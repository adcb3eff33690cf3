import { parseJson } from '../../../core/json.ts'
import { EditRefused } from '../../../edit/refused.ts'
import { type CheckFinding, finding } from '../../finding.ts'
import { fields, fieldsInLine, list, textIn } from '../../read.ts'
import { type CheckedHome, isBlankText, type MachineReader } from '../../setup.ts'
import { HOOKED_EVENTS } from '../events.ts'
import { CONFIG_FILE, HOOKS_FILE } from './memory.ts'
import { silencers } from './plan.ts'
import { eventsMissing, keysUntrusted, marksFor } from './trust.ts'

/** SPEC CX26. Whether the hooks are there, and trusted by the client's own word. */
export async function checkHooksIn(
  homes: readonly CheckedHome[],
  look: MachineReader,
): Promise<CheckFinding[]> {
  const isAnywhere = homes.some((home) => eventsIn(home) > 0)
  const listed = isAnywhere ? await listedBy(look, homes) : NONE
  return homes.map((home) => checked(home, look, listed))
}

/** What the client itself says of its hooks. */
interface Listed {
  /** By the hook's key: whether its user trusts it, and has not switched it off. */
  readonly hooks: ReadonlyMap<string, { readonly trusted: boolean; readonly on: boolean }>
  readonly warnings: readonly string[]
}

const NONE: Listed = { hooks: new Map(), warnings: [] }

const LIST_ID = 2

/** The client's server on its standard input, without its daemon: the question is one line. */
async function listedBy(look: MachineReader, homes: readonly CheckedHome[]): Promise<Listed> {
  const clientInfo = { name: 'vigil', title: null, version: '0' }
  const messages = [
    { id: 1, method: 'initialize', params: { clientInfo } },
    { method: 'initialized' },
    {
      id: LIST_ID,
      method: 'hooks/list',
      params: { cwds: homes.slice(0, 1).map(({ real }) => real) },
    },
  ]
  const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('')
  const said = await look.ask(['app-server'], input, /^\{"id":2,.*\}$/m)
  const answer = (said ?? '')
    .split('\n')
    .map(fieldsInLine)
    .find(({ id }) => id === LIST_ID)
  const folders = list(fields(answer?.result).data).map(fields)
  const hooks = folders.flatMap((folder) => list(folder.hooks).map(fields))
  const states = hooks.flatMap(({ key, trustStatus, enabled }) => {
    const named = textIn(key)
    const state = { trusted: trustStatus === 'trusted', on: enabled !== false }
    return named === undefined ? [] : [[named, state] as const]
  })
  const warnings = folders.flatMap((folder) =>
    list(folder.warnings).flatMap((w) => textIn(w) ?? []),
  )
  return { hooks: new Map(states), warnings }
}

function eventsIn(place: CheckedHome): number {
  const hooks = place.texts[HOOKS_FILE] ?? ''
  if (!parseJson(hooks)) return 0
  return HOOKED_EVENTS.length - eventsMissing(hooks, place).length
}

function checked(place: CheckedHome, look: MachineReader, listed: Listed): CheckFinding {
  const name = look.shown(`${place.home}/${HOOKS_FILE}`)
  try {
    return foundIn(place, name, listed)
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error
    const why = error.message.replace(/; nothing was changed.*$/, '')
    const file = look.shown(why.replace(/:\d+:\d+: .*$/s, ''))
    return finding.problem('hooks', why, `put ${file} right: Codex does not load it as it is`)
  }
}

function foundIn(place: CheckedHome, name: string, listed: Listed): CheckFinding {
  const [hooks = '', config = ''] = [place.texts[HOOKS_FILE], place.texts[CONFIG_FILE]]
  const isEmpty = isBlankText(hooks)
  const [silenced] = silencers(hooks, config, place.home)
  const missing = isEmpty ? HOOKED_EVENTS : eventsMissing(hooks, place)
  const keys = isEmpty ? [] : marksFor(hooks, place).map(({ path }) => path.at(-1) ?? '')
  const known = keys.filter((key) => listed.hooks.has(key))
  const byHash = () => (isEmpty ? [] : keysUntrusted(hooks, config, place))
  const isTrusted = (key: string) => listed.hooks.get(key)?.trusted
  const untrusted = known.length > 0 ? known.filter((key) => !isTrusted(key)) : byHash()
  const off = known.filter((key) => listed.hooks.get(key)?.on === false)
  const asked = known.length > 0
  const settings = `${place.home}/${HOOKS_FILE}`
  const figures = { settings, missing, untrusted, off, asked }
  const again = (what: string, todo = place.cure) =>
    finding.warning('hooks', `${name}: ${what}`, todo, { figures })
  if (missing.length === HOOKED_EVENTS.length) return again('none of vigil’s')
  if (silenced !== undefined)
    return finding.problem('hooks', silenced, 'put that right', { figures })
  const refused = listed.warnings.find((said) => said.includes('failed to parse hooks config'))
  if (refused !== undefined && !asked)
    return finding.problem('hooks', `Codex says: ${refused}`, `put ${name} right`, { figures })
  if (missing.length > 0) return again(`without ${missing.join(', ')}`)
  if (untrusted.length > 0)
    return again(`Codex does not trust ${untrusted.length} of vigil’s hooks and runs none of these`)
  if (off.length > 0)
    return again(
      `${off.length} of vigil’s hooks are switched off`,
      'switch them on by /hooks in Codex',
    )
  const since = 'threads that were loaded before have them from the next /new, /clear or start on'
  const by = asked ? 'by Codex’s own list' : 'by their hashes'
  return finding.ok('hooks', `${name}: ${HOOKED_EVENTS.length} events, trusted ${by}`, {
    notes: [since],
    figures,
  })
}
