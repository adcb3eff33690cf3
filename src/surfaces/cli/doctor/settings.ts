import { readFileSync } from 'node:fs'
import { eventsFor } from '../../../agents/claude/events.ts'
import { dataOf, firstLiberty, parseSettings, placeOf } from '../../../edit/document.ts'
import { type Inspected, inspectInstall } from '../../../install/inspect.ts'
import { type Finding, ok, type Patient, problem, warning } from './finding.ts'
import { brokenEvent } from './sound.ts'

const INSTALL = 'vigil install'

/** Each folder of settings: whether vigil's hooks are there, and whether the client heeds them. */
export function checkSettings(patient: Patient): Finding[] {
  const { folders, configFolders, version } = patient
  const { places } = inspectInstall(folders, configFolders, version)
  return places.map((place) => inForce(place, patient) ?? installed(place, patient))
}

/** What keeps the client from running any hook of the file. */
function inForce(place: Inspected, { home }: Patient): Finding | undefined {
  const shown = shortened(place.settings, home)
  const silent = (what: string, todo: string) => problem('hooks', `${shown}: ${what}`, todo)
  if (place.problem !== undefined) {
    const why = place.problem.replace(/; put the file right.*$/, '').replace(place.settings, shown)
    return problem('hooks', `${why}: the client ignores the file`, `put ${shown} right`)
  }
  if (place.disabled)
    return silent('disableAllHooks is true: no hook runs', 'set it to false, or remove it')
  const text = textOf(place.settings)
  const liberty = text === undefined ? undefined : firstLiberty(text)
  if (text === undefined || text.trim() === '') return undefined
  if (liberty !== undefined) {
    const at = `line ${placeOf(text, liberty)}`
    return silent(`a comment or trailing comma (${at}): the client loads no such file`, 'remove it')
  }
  const broken = brokenEvent((dataOf(parseSettings(text, shown)) as { hooks?: unknown }).hooks)
  if (broken === undefined) return undefined
  const what = `an entry of ${broken} is broken: the client runs no hook of this file at all`
  return silent(what, `put ${broken} right: every entry needs "hooks": [{"type": …, …}]`)
}

function installed({ settings, events, missing, mute }: Inspected, patient: Patient): Finding {
  const { version, home } = patient
  const shown = shortened(settings, home)
  const known = new Set<string>(eventsFor(version))
  const unknown = events.filter((event) => !known.has(event))
  const figures = { settings, installed: events, missing, mute, unknown }
  if (events.length === 0)
    return warning('hooks', `${shown}: none of vigil’s`, INSTALL, { figures })
  if (unknown.length > 0 && version !== undefined) {
    const what = `claude ${version} does not know ${unknown.join(', ')} and may drop the whole file`
    return problem('hooks', `${shown}: ${what}`, INSTALL, { figures })
  }
  if (missing.length > 0)
    return warning('hooks', `${shown}: without ${missing.join(', ')}`, INSTALL, { figures })
  if (mute.length > 0) {
    const what = `${mute.join(', ')} as an earlier vigil put it: neither loops nor answers reach it`
    return warning('hooks', `${shown}: ${what}`, INSTALL, { figures })
  }
  return ok('hooks', `${shown}: ${events.length} events`, { figures })
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function shortened(path: string, home: string): string {
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path
}
