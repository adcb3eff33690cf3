import { FRESH_MAX_MS } from '../../core/limits.ts'
import type { Session } from '../../protocol/session.ts'
import { tmuxQuoted } from '../../tmux/quote.ts'
import { byAttention } from '../../view/session.ts'
import {
  forgetHand,
  leaveToHand,
  mark,
  repaint,
  restore,
  segment as segmentCommand,
  take,
  variable,
} from './commands.ts'
import type { Auto, PaneSeen, Seen, WindowSeen } from './reading.ts'
import { markStyle, type PaneSign, signOf, type TmuxSettings } from './signs.ts'
import { windowNameOf } from './window-name.ts'

/** What vigil has written, so that nothing is written twice. */
export interface Written {
  /** By window, quoted. */
  readonly names: ReadonlyMap<string, string>
  /** By pane or window, then by variable; values of an earlier vigil are not known. */
  readonly values: ReadonlyMap<string, ReadonlyMap<string, string | undefined>>
}

/** Before the first plan, and again if another process may have changed the server. */
export const NOTHING_WRITTEN: Written = { names: new Map(), values: new Map() }

export interface PlanInput {
  readonly seen: Seen
  /** Open sessions in panes of this server. */
  readonly sessions: readonly Session[]
  /** For the windows in `windowsToRename`. */
  readonly autos: ReadonlyMap<string, Auto>
  /** Empty for none. */
  readonly segment: string
  readonly settings: TmuxSettings
  readonly before: Written
  readonly now: number
}

export interface Plan {
  readonly commands: readonly string[]
  readonly written: Written
  /** When time alone could change what is shown. */
  readonly lookAgainAt: number | undefined
}

/**
 * The smallest change that makes a server show these sessions, and nothing of sessions that are
 * gone.
 */
export function plan(input: PlanInput): Plan {
  const { seen, sessions, before, segment } = input
  const inPanes = byPane(sessions, seen.panes)
  const commands: string[] = []
  const names = new Map<string, string>()
  const values = new Map<string, ReadonlyMap<string, string | undefined>>()
  for (const window of seen.windows.values()) {
    const there = agentsIn(window, inPanes, seen)
    const agent = neediest(there.map(([, session]) => session))
    const named = nameCommands(window, agent, input)
    commands.push(...named.commands, ...mark(window, markStyle(agent, input.settings)))
    if (named.name !== undefined) names.set(window.id, named.name)
    for (const [target, session] of [[window.id, agent] as const, ...there])
      if (session) values.set(target, variablesOf(session, target, input))
  }
  if (before === NOTHING_WRITTEN) commands.push(...leftOver(seen, values))
  commands.push(...variableCommands(before.values, values, seen))
  if (segment !== seen.segment) commands.push(segmentCommand(segment))
  const lookAgainAt = nextLook(sessions, input.now)
  return { commands, written: { names, values }, lookAgainAt }
}

/** Windows that vigil is about to rename: what they inherit must be read first. */
export function windowsToRename(input: Omit<PlanInput, 'autos' | 'before' | 'segment'>): string[] {
  const { seen, sessions, settings, now } = input
  if (!hasNames(settings)) return []
  const inPanes = byPane(sessions, seen.panes)
  return [...seen.windows.values()].flatMap((window) => {
    if (window.held || window.byHand) return []
    const agent = neediest(agentsIn(window, inPanes, seen).map(([, session]) => session))
    const sign = agent && signOf(agent, now, settings, isFocused(agent, seen))?.sign
    return sign === undefined ? [] : window.id
  })
}

function hasNames({ names, mode }: TmuxSettings): boolean {
  return names && mode !== 'marks'
}

function agentsIn({ id }: WindowSeen, inPanes: ReadonlyMap<string, Session>, { panes }: Seen) {
  return [...inPanes].filter(([pane]) => panes.get(pane)?.window === id)
}

function byPane(sessions: readonly Session[], panes: ReadonlyMap<string, PaneSeen>) {
  const there = new Map<string, Session>()
  for (const session of sessions.toSorted(byAttention)) {
    const { tmuxPane: pane } = session
    if (pane !== null && panes.has(pane) && !there.has(pane)) there.set(pane, session)
  }
  return there
}

function neediest(sessions: readonly Session[]): Session | undefined {
  return sessions.toSorted(byAttention)[0]
}

interface Named {
  readonly commands: readonly string[]
  readonly name?: string
}

function nameCommands(
  window: WindowSeen,
  agent: Session | undefined,
  { settings, before, autos, now, seen }: PlanInput,
): Named {
  const { id, held } = window
  const isRenamed = held !== undefined && held.wrote !== window.name
  if (!agent || !hasNames(settings)) {
    const left = window.byHand && !agent ? forgetHand(id) : []
    return { commands: [...restore(window), ...left] }
  }
  if (isRenamed) return { commands: leaveToHand(id) }
  if (window.byHand) return { commands: [] }
  const known = before.names.get(id)
  const sign = signOf(agent, now, settings, isFocused(agent, seen))?.sign
  // During a turn the name stays as it is.
  if (sign === undefined) return { commands: [], ...(known !== undefined && { name: known }) }
  const bytes = windowNameOf(settings.template, sign, agent, window)
  const name = tmuxQuoted(bytes)
  if (held) return { commands: known === name ? [] : [repaint(id, bytes)], name }
  const auto = autos.get(id)
  return auto === undefined ? { commands: [] } : { commands: [take(window, auto, bytes)], name }
}

function isFocused({ tmuxPane }: Session, { panes }: Seen): boolean {
  return tmuxPane !== null && panes.get(tmuxPane)?.seen === true
}

const SEED = ['@agent_running', '@last_completed_time'] as const
const OWN = ['@vigil_state', '@vigil_for', '@vigil_unread'] as const
const VARIABLES = [...SEED, ...OWN]

function variablesOf(session: Session, target: string, input: PlanInput) {
  const { before, settings, now, seen } = input
  const sign: PaneSign | undefined = signOf(session, now, settings, isFocused(session, seen))
  const known = before.values.get(target)
  const values = new Map<string, string | undefined>()
  // During a turn notify-tmux's variables stay as they are.
  for (const one of SEED) values.set(one, sign ? sign.variables[one] : known?.get(one))
  values.set('@vigil_state', session.state)
  values.set('@vigil_for', session.for ?? '')
  values.set('@vigil_unread', session.unread ? '1' : '0')
  return values
}

/**
 * Variables that an earlier vigil set and could not remove; a pane inherits those of its window.
 */
function leftOver({ panes, windows }: Seen, values: Written['values']): string[] {
  const marked = [...windows.values()].filter((window) => window.marked).map(({ id }) => id)
  const inside = [...panes.values()].filter(({ window }) => marked.includes(window))
  return [...marked, ...inside.map(({ id }) => id)]
    .filter((target) => !values.has(target))
    .flatMap((target) => VARIABLES.map((one) => variable(target, one)))
}

function variableCommands(
  before: Written['values'],
  after: Written['values'],
  { panes, windows }: Seen,
): string[] {
  const commands: string[] = []
  for (const [target, values] of after)
    for (const [one, value] of values)
      if (value !== undefined && before.get(target)?.get(one) !== value)
        commands.push(variable(target, one, value))
  for (const [target, values] of before) {
    if (after.has(target) || !(panes.has(target) || windows.has(target))) continue
    commands.push(...[...values.keys()].map((one) => variable(target, one)))
  }
  return commands
}

/** A finished turn is news for half an hour. */
function nextLook(sessions: readonly Session[], now: number): number | undefined {
  const times = sessions
    .filter(({ state }) => state === 'idle' || state === 'error')
    .map(({ since }) => since + FRESH_MAX_MS + 1)
    .filter((at) => at > now)
  return times.length > 0 ? Math.min(...times) : undefined
}
