import type { Facts, Request, Tool } from '../facts.ts'
import { HOOK_LAG_MS, SCREEN_LAG_MS, STALE_MS, STATUSLINE_LAG_MS } from '../limits.ts'
import { restartedAt } from './turn.ts'

/**
 * Open requests, newest last. `lagMs`: a hook may be written this late, after the answer to its own
 * dialog.
 */
export function unansweredRequests(facts: Facts, lagMs = HOOK_LAG_MS): readonly Request[] {
  if (facts.requests.length === 0) return facts.requests
  const floor = restartedAt(facts)
  return facts.requests
    .filter((request) => request.at > floor && isOpen(facts, request, lagMs))
    .sort((a, b) => a.at - b.at)
}

/**
 * SPEC W3–W8. No hook reports the answer to a dialog, so a request is open until something happens
 * after it that cannot happen while the dialog is open.
 */
function isOpen(facts: Facts, request: Request, lagMs: number): boolean {
  const { at, actor } = request
  const { freeAt, unblockedAt, heard } = facts
  if (request.closedAt !== undefined && request.closedAt > at) return false
  if (unblockedAt !== undefined && unblockedAt > at - lagMs) return false
  if (freeAt !== undefined && freeAt > at) return false
  if (actor === undefined ? mainMoved(facts, at) : actorMoved(facts, actor, at)) return false
  // SPEC W8. The status line freezes under a dialog and is drawn again when it closes.
  if ((heard.statusline ?? 0) >= at + STATUSLINE_LAG_MS || screenMoved(facts, at)) return false
  return answeredAt(facts.tools, request) === undefined
}

/**
 * SPEC W4. A request may have no tool id: its tool is the call of the same actor with the same name
 * and input. The end of any other tool leaves it open, a parallel one of the same agent as well as
 * a subagent's (61 false clears in 607 logs of a seed).
 */
function answeredAt(tools: readonly Tool[], request: Request): number | undefined {
  let ended: number | undefined
  for (const tool of tools) {
    if (tool.endedAt !== undefined && tool.endedAt <= request.at) continue
    if (!isFor(request, tool)) continue
    // Of equal calls, the one still running may be the one that asks.
    if (tool.endedAt === undefined) return undefined
    ended = Math.max(ended ?? 0, tool.endedAt)
  }
  return ended
}

/**
 * SPEC R6. When the tool that the client's present `waiting` is about has ended. A request from
 * before the client last reported a state other than waiting is not the one it waits for.
 */
export function askedToolEndedAt({ freeAt = 0, requests, tools }: Facts): number {
  const ends = requests
    .filter(({ at }) => at > freeAt - HOOK_LAG_MS)
    .map((request) => answeredAt(tools, request) ?? 0)
  return Math.max(0, ...ends)
}

function isFor(request: Request, tool: Tool): boolean {
  if (request.id !== undefined) return tool.id === request.id
  if (tool.name !== request.tool || tool.actor !== request.actor) return false
  return tool.input === request.input
}

/** SPEC W5. What closes every request of the main agent. */
export function mainMoved(facts: Facts, at: number): boolean {
  const { turn } = facts
  if (userMoved(facts, at)) return true
  if (turn.settledAt !== undefined && turn.settledAt > at) return true
  for (const end of [turn.ended, turn.failed]) if (end && end.at > at) return true
  // SPEC M5: new output 2 s past the question. Sooner may be the same message still streaming.
  return turn.spoke !== undefined && turn.spoke.at > at + STALE_MS
}

/** SPEC W5. Esc removes every dialog from the screen, and no prompt can be typed past one. */
export function userMoved({ turn }: Facts, at: number): boolean {
  if (turn.interrupted && turn.interrupted.at > at) return true
  if (turn.queued && turn.queued.at > at) return true
  return (turn.promptedAt ?? 0) > at
}

/**
 * SPEC W5. A subagent's request outlasts its parent's Stop and the prompts that other tasks bring,
 * so only its own steps, the end of its task, or a prompt typed by the user close it.
 */
function actorMoved(facts: Facts, actor: string, at: number): boolean {
  if (userMoved(facts, at)) return true
  const task = facts.tasks.find((entry) => entry.id === actor)
  if (!task) return false
  if (task.endedAt !== undefined && task.endedAt > at) return true
  if (task.settledAt !== undefined && task.settledAt > at) return true
  if (task.spokeAt !== undefined && task.spokeAt > at + STALE_MS) return true
  const { listed } = facts
  return listed !== undefined && listed.at > at && !listed.ids.includes(actor)
}

/**
 * SPEC W7. A dialog replaces the input line and its spinner. So a screen that shows them again,
 * later than drawing the dialog takes, shows that it was answered: the only sign of an allowed tool
 * that older clients give before the tool ends.
 */
function screenMoved({ screen }: Facts, at: number): boolean {
  return screen?.inputAt !== undefined && screen.inputAt > at + SCREEN_LAG_MS
}
