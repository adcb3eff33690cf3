import type { Facts, Screen, Task, Tool } from '../facts.ts'
import { BARE_PROMPT_MS, HOOK_LAG_MS, SCREEN_LAG_MS } from '../limits.ts'
import { askedFor, type Finding, openToolAsRequest } from './finding.ts'
import { mainMoved, userMoved } from './requests.ts'
import type { TurnView } from './turn.ts'

/** SPEC W9. A dialog is in the place of the input line, and nothing has moved since. */
export function dialogOnScreen(
  facts: Facts,
  { tools, tasks }: { readonly tools: readonly Tool[]; readonly tasks: readonly Task[] },
): Finding | undefined {
  const { screen } = facts
  if (screen?.shows !== 'dialog' || userMoved(facts, screen.at)) return undefined
  // With subagents running, the dialog may be theirs while the main agent continues.
  if (tasks.length === 0 && mainMoved(facts, screen.at)) return undefined
  const kind = screen.for ?? 'dialog'
  const about = tools[0] ? ` (${tools[0].name})` : ''
  // The same dialog as before something moved: it has opened again.
  const again = mainMoved(facts, screen.since)
  const request = openToolAsRequest(kind, tools)
  return {
    state: 'waiting',
    since: again ? screen.at : screen.since,
    rule: 'W9',
    reason: `a dialog for ${askedFor(kind)} is on the screen${about}`,
    grounds: [{ source: 'screen', saw: 'dialog', at: screen.at }],
    for: kind,
    ...(request && { request }),
  }
}

/**
 * SPEC T8. The spinner turns although no turn is known: one began that no other source reported.
 */
export function spinnerOnScreen(facts: Facts, turn: TurnView): Finding | undefined {
  const { screen } = facts
  // What other sources know of tasks is more than a line on the screen, except after an interrupt:
  // a command may outlive its turn (recorded: esc_tool).
  const isCut = turn.end?.how === 'interrupt' && (screen?.since ?? 0) > turn.since
  if (screen?.shows === 'background' && (!turn.end || isCut)) return tasksOnScreen(screen)
  if (screen?.shows !== 'working') return undefined
  if (turn.end && screen.at <= turn.since + SCREEN_LAG_MS) return undefined
  return {
    state: 'working',
    since: screen.since,
    rule: 'T8',
    reason: 'its screen shows a moving spinner',
    grounds: [{ source: 'screen', saw: 'spinner', at: screen.at }],
  }
}

function tasksOnScreen(screen: Screen): Finding {
  return {
    state: 'background',
    since: screen.since,
    rule: 'T8',
    reason: 'its screen shows that background work still runs',
    grounds: [{ source: 'screen', saw: 'background work', at: screen.at }],
  }
}

/**
 * SPEC T9. Esc before the first word of an answer takes the prompt back: no hook, no transcript
 * entry (recording esc_think). The screen may end such a turn, but only one whose spinner was
 * recognised since the turn began: the absence of a spinner in an unknown style proves nothing.
 */
export function endedOnScreen(facts: Facts, turn: TurnView, now: number): TurnView {
  const since = bareSince(facts, turn)
  if (since === undefined || now < since + BARE_PROMPT_MS) return turn
  const mark = { at: since, source: 'screen' as const }
  return { open: false, since, rule: 'T9', mark, end: { ...mark, how: 'interrupt' } }
}

/** Since when a bare prompt is visible in an open turn whose spinner was seen. */
export function bareSince(facts: Facts, turn: TurnView): number | undefined {
  const { screen } = facts
  if (!turn.open || screen?.shows !== 'prompt' || screen.workingAt === undefined) return undefined
  const begun = Math.max(turn.since, turn.mark?.at ?? 0, facts.turn.active?.at ?? 0)
  // The first spinner may be seen before the hook that reports the turn is written.
  if (screen.workingAt <= begun - HOOK_LAG_MS) return undefined
  return screen.since > begun ? screen.since : undefined
}
