import {
  dataOf,
  firstJsonExtension,
  type JsonNode,
  lineAndColumn,
  memberOf,
  parseSettings,
} from '../../../edit/document.ts'
import { ownHooks } from '../../../edit/json-hooks.ts'
import { EditRefused } from '../../../edit/refused.ts'
import { type CheckFinding, finding } from '../../finding.ts'
import { fields } from '../../read.ts'
import {
  type CheckedHome,
  isBlankText,
  type MachineReader,
  type OwnPaths,
  type Texts,
} from '../../setup.ts'
import { isMute, knownEvents, neededEvents } from '../events.ts'
import { brokenEvent } from './broken-event.ts'
import { SETTINGS_FILE } from './memory.ts'
import { commandsOfAll } from './remove.ts'

/** Whether vigil's hooks are in a home's settings, and whether the client runs them. */
export function checkHome(home: CheckedHome, look: MachineReader): CheckFinding {
  const { shown } = look
  const name = shown(`${home.home}/${SETTINGS_FILE}`)
  const text = home.texts[SETTINGS_FILE]
  if (isBlankText(text)) return installed(home, look, undefined)
  try {
    const root = parseSettings(text, name)
    return inForce(root, text, name) ?? installed(home, look, root)
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error
    const why = error.message.replace(/; put the file right.*$/, '')
    return finding.problem('hooks', `${why}: the client ignores the file`, `fix ${name}`)
  }
}

/** Events that vigil has a hook for; none where the file cannot be read. */
export function installedEvents({ [SETTINGS_FILE]: text = '' }: Texts, own: OwnPaths): string[] {
  try {
    return eventsIn(parseSettings(text, ''), own)
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error
    return []
  }
}

function eventsIn(root: JsonNode, own: OwnPaths): string[] {
  return [...new Set(ownHooks(root, commandsOfAll(own)).map(({ event }) => event))]
}

/** What keeps the client from running any hook of the file. */
function inForce(root: JsonNode, text: string, name: string): CheckFinding | undefined {
  const silent = (what: string, todo: string) => finding.problem('hooks', `${name}: ${what}`, todo)
  if (memberOf(root, 'disableAllHooks')?.value === true)
    return silent('disableAllHooks is true: no hook runs', 'set it to false, or remove it')
  const liberty = firstJsonExtension(text)
  if (liberty !== undefined) {
    const at = `line ${lineAndColumn(text, liberty)}`
    const what = `a comment or trailing comma (${at}): clients ignore the whole file`
    return silent(what, 'remove it')
  }
  const broken = brokenEvent(fields(dataOf(root)).hooks)
  if (broken === undefined) return undefined
  const what = `an entry of ${broken} is malformed: the client runs no hook of this file`
  return silent(what, `fix ${broken}: every entry needs "hooks": [{"type": …, …}]`)
}

function installed(
  place: CheckedHome,
  { shown }: MachineReader,
  root: JsonNode | undefined,
): CheckFinding {
  const { home, version, seen, own, cure } = place
  const name = shown(`${home}/${SETTINGS_FILE}`)
  const there = root ? ownHooks(root, commandsOfAll(own)) : []
  const events = root ? eventsIn(root, own) : []
  const known: readonly string[] = knownEvents(version)
  const needed: readonly string[] = neededEvents(version)
  const mute = there
    .filter(({ event, value }) => isMute(event, value, version))
    .map(({ event }) => event)
  const missing = needed.filter((event) => !events.includes(event))
  const unknown = events.filter((event) => !known.includes(event))
  const settings = `${home}/${SETTINGS_FILE}`
  const set = known.every((event) => events.includes(event)) ? 'all' : 'short'
  const figures = { settings, set, installed: events, missing, mute, unknown }
  const again = (what: string) => finding.warning('hooks', `${name}: ${what}`, cure, { figures })
  if (events.length === 0) return again('it has no hooks of vigil')
  if (unknown.length > 0 && version !== undefined) {
    const who = `Claude Code ${version}${seen === undefined ? '' : ` (${shown(seen)})`}`
    const what = `${who} does not know ${unknown.join(', ')} and may ignore the whole file`
    return finding.problem('hooks', `${name}: ${what}`, cure, { figures })
  }
  if (missing.length > 0) return again(`hooks are missing for ${missing.join(', ')}`)
  if (mute.length > 0)
    return again(`${mute.join(', ')} as an older vigil wrote it: loops and answers do not work`)
  return finding.ok('hooks', `${name}: ${setWords(events.length, known, needed)}`, { figures })
}

/** SPEC I23. Which of its events are installed, and how many would be enough. */
function setWords(count: number, known: readonly string[], needed: readonly string[]): string {
  if (needed.length === known.length) return `${count} events`
  if (count === needed.length)
    return `${count} events, the short set (--all-events: ${known.length})`
  const all = count === known.length ? ', all that the client knows' : ''
  return `${count} events${all}; ${needed.length} are enough, which vigil install leaves`
}
