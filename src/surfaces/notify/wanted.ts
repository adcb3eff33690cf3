import type { Session } from '../../protocol/session.ts'
import type { ChannelSettings } from './settings.ts'

type Wish = Pick<ChannelSettings, 'states' | 'projects'>

/** SPEC NO2. Whether a channel is for this state and this project. */
export function isWanted({ states, projects }: Wish, session: Session): boolean {
  const { state, for: kind, project } = session
  const isState =
    !states || states.some((wanted) => wanted === state || (kind !== null && wanted === kind))
  return isState && (!projects || isAmong(projects, project ?? ''))
}

/** An exclusion always wins; with exclusions alone, all other projects are included. */
function isAmong(patterns: readonly string[], project: string): boolean {
  const without = patterns.filter((pattern) => pattern.startsWith('!'))
  if (without.some((pattern) => matches(pattern.slice(1), project))) return false
  const meant = patterns.filter((pattern) => !pattern.startsWith('!'))
  return meant.length === 0 || meant.some((pattern) => matches(pattern, project))
}

/** Two positions instead of a regular expression, which a long name could keep busy for ever. */
function matches(pattern: string, name: string): boolean {
  let [at, in_, star, retry] = [0, 0, -1, 0]
  while (in_ < name.length) {
    if (pattern[at] === '*') {
      star = at++
      retry = in_
    } else if (pattern[at] === name[in_]) {
      at++
      in_++
    } else if (star >= 0) {
      at = star + 1
      in_ = ++retry
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}
