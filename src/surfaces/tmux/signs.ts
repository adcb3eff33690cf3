import { agentOf } from '../../agents/index.ts'
import { needOf } from '../../core/loop/need.ts'
import { type NotifyView, notifyTmux } from '../../core/vocabulary/notify-tmux.ts'
import type { Settings } from '../../home/settings.ts'
import type { Session } from '../../protocol/session.ts'
import { colourOf, needsUser } from '../../view/session.ts'

export type TmuxSettings = Settings['tmux']

export interface PaneSign {
  readonly state: NotifyView['state']
  /** The sign before the name; undefined leaves the name as it is. */
  readonly sign: string | undefined
  readonly variables: NotifyView['variables']
}

/**
 * A session in notify-tmux's words with the user's signs. Undefined: nothing changes, which in
 * stop-only mode is everything during a turn.
 */
export function signOf(
  session: Session,
  now: number,
  settings: TmuxSettings,
  focused: boolean,
): PaneSign | undefined {
  const { since, after, doing, agent } = session
  const mode = settings.mode === 'marks' ? 'stop-only' : settings.mode
  const state = mode === 'needs' && callsForHelp(session) ? 'waiting' : session.state
  const told = { state, since, ...(after && { after }), ...(doing && { doing }) }
  const signs = agentOf(agent)?.toolSigns?.[settings.emoji]
  const view = notifyTmux(told, now, mode, focused, signs)
  if (!view) return undefined
  const sign = view.emoji === undefined ? undefined : chosen(view.state, session, settings)
  return { state: view.state, sign: sign ?? view.emoji, variables: view.variables }
}

/**
 * SPEC TM33. It failed, got stuck, or its loop needs the user, and the user has not seen it yet.
 */
function callsForHelp({ state, unread, loop }: Session): boolean {
  return unread && (state === 'error' || state === 'stuck' || needOf(loop) !== null)
}

/** SPEC TM34. The style of its window in the status line if names stay; undefined for none. */
export function markStyle(session: Session | undefined, { mode }: TmuxSettings): string {
  if (mode !== 'marks' || !session || !needsUser(session)) return ''
  return `fg=${colourOf(session)},bold`
}

/** The user's own sign for the tool or the state, or else the sign of the chosen set. */
function chosen(
  state: NotifyView['state'],
  { doing }: Session,
  { signs, glyphs }: TmuxSettings,
): string | undefined {
  const isActive = state === 'ACTIVE_FOCUSED' || state === 'ACTIVE_UNFOCUSED'
  const tool = isActive ? doing?.tool : undefined
  const own = (tool !== undefined && ownValue(signs, tool)) || ownValue(signs, state)
  return own ?? (glyphs === 'emoji' ? undefined : SIGNS[glyphs][state])
}

function ownValue(signs: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(signs, key) ? signs[key] : undefined
}

const SIGNS: Readonly<Record<'ascii' | 'nerd', Record<NotifyView['state'], string>>> = {
  ascii: {
    IDLE: '[+] ',
    COMPLETED: '[+] ',
    WORKING: '[&] ',
    BASE: '[-] ',
    ALERT: '[!] ',
    ACTIVE_FOCUSED: '[>] ',
    ACTIVE_UNFOCUSED: '[>] ',
  },
  nerd: {
    IDLE: '\uf00c ',
    COMPLETED: '\uf00c ',
    WORKING: '\uf013 ',
    BASE: '\uf120 ',
    ALERT: '\uf0f3 ',
    ACTIVE_FOCUSED: '\uf04b ',
    ACTIVE_UNFOCUSED: '\uf04b ',
  },
}
