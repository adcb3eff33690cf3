import type { ScreenShows, WaitingFor } from '../../core/signal.ts'

/**
 * What the client draws, as data. Seen in 2.1.325; each line names the recording that shows it.
 * A client that draws otherwise matches nothing here, and nothing follows from that (SPEC T9).
 */

/** The rules above and below the input line, from the first column on (hello). */
export const RULE = /^─{20,}/

/** The input line, for a prompt or a command (hello, bang); `>` in 2.0.50. */
export const INPUT_MARK = /^[❯>!]/

/** What stands in an empty input line (queue). */
export const PLACEHOLDERS = /^(Press up to edit queued messages|Try ")/

/** A status in the first column: a turning mark and what goes on (bash_approve, think_long). */
export const SPINNER = /^[·✢✳✶✻✽*∗✱+] (.+)$/

/** Something said: a status above it belongs to an earlier turn (two_prompts). */
export const MESSAGE = /^[●⏺❯>]/

/** In the first column, going on, and yet none of the marks above. */
export const UNKNOWN_STATUS = /^\S+ .*…/

export interface StatusRule {
  readonly pattern: RegExp
  readonly shows: ScreenShows
  readonly seenIn: string
}

/** The first that matches decides; a status that matches none is that of a finished turn. */
export const STATUS_LINES: readonly StatusRule[] = [
  { pattern: /^Waiting for \d+ .*to finish/, shows: 'background', seenIn: 'agent_bg' },
  { pattern: / still running$/, shows: 'background', seenIn: 'bash_bg' },
  { pattern: /^\S+ for \d[^…]* done [^…]*$/, shows: 'prompt', seenIn: 'hello' },
  { pattern: /…/, shows: 'working', seenIn: 'bash_approve' },
  { pattern: /Retrying in /, shows: 'working', seenIn: 'err529' },
]

/** The chosen line of a list: every dialog has one (bash_approve, plan_approve, trust_dialog). */
export const SELECTED = '❯ '
export const SELECTOR = /^\s{0,4}❯ \S/

/**
 * What the agent says begins so. Newer clients put a status below it when the turn is over; while
 * it comes in there is none, and no spinner either (stream_stall).
 */
export const ANSWER = /^[●⏺]/

/** 1.0 draws a box around its dialogs (oldest_bash_approve). */
export const BORDER = /^│ /

/** The upper edge of what a slash command puts up: not always a list (slash_help), nor a foot. */
export const PANEL = /^▔{20,}/

export interface DialogRule {
  readonly pattern: RegExp
  readonly for: WaitingFor
  readonly seenIn: string
}

/** Foot or heading of a dialog. The lowest line that one of them matches decides. */
export const DIALOGS: readonly DialogRule[] = [
  {
    pattern: /^ {0,4}(Exit plan mode\?|Ready to code\?|Would you like to proceed\?)/,
    for: 'plan',
    seenIn: 'plan_approve',
  },
  { pattern: /^ {0,4}Do you want to /, for: 'permission', seenIn: 'bash_approve' },
  { pattern: /^ {0,4}Quick safety check:/, for: 'dialog', seenIn: 'trust_dialog' },
  {
    pattern: /^ {0,4}(Enter to select · |Ready to submit your answers\?)/,
    for: 'question',
    seenIn: 'ask_answer',
  },
  {
    pattern: /^ {0,4}MCP server .* requests your input$/,
    for: 'question',
    seenIn: 'mcp_elicit_left',
  },
]

/** The last line of any other list the client puts up: menus, settings, a choice at exit. */
export const FOOT = {
  pattern: /(^ {0,4}|· )Esc(\/\w+)* to \w+/,
  for: 'dialog',
  seenIn: 'slash_menu',
} as const

/** A command the user runs with `!`: no spinner, its own line says that it runs (bang). */
export const BANG = { command: /^! /, running: /^\s{2}⎿\s+Running…/, seenIn: 'bang' } as const
