import type { ScreenShows, WaitingFor } from '../../core/signal.ts'

/**
 * What the client draws, as data: first its elements, each with the recording that shows it
 * (2.1.325 unless stated otherwise), then the rules. A client that draws differently matches
 * nothing here, and nothing follows from that (SPEC T9).
 */

/** The rules above and below the input line, from the first column on (hello). */
export const RULE = /^─{20,}/

/** The input line, for a prompt or a command (hello, bang); `>` in 2.0.50. */
export const INPUT_MARK = /^[❯>!]/

/** Placeholders of an empty input line (queue). */
export const PLACEHOLDERS = /^(Press up to edit queued messages|Try ")/

/** A status in the first column: a turning mark and the activity (bash_approve, think_long). */
export const SPINNER = /^[·✢✳✶✻✽*∗✱+] (.+)$/

/** A message: a status above it belongs to an earlier turn (two_prompts). */
export const MESSAGE = /^[●⏺❯>]/

/** A status in the first column with a mark that is not known. */
export const UNKNOWN_STATUS = /^\S+ .*…/

/**
 * A rule that decides what a screen shows. `confidence`: the share of the time it decided in which
 * the client's own report agreed, over all recordings that have both. `lab/score/screen-rules.ts`
 * measures it, and a test fails when a number here differs. `version` and `seenIn`: a client and a
 * recording that show it.
 */
export interface ScreenRule {
  readonly name: string
  readonly shows: ScreenShows
  readonly for?: WaitingFor
  readonly confidence: number
  readonly version: string
  readonly seenIn: string
}

export interface PatternRule extends ScreenRule {
  readonly pattern: RegExp
}

/** SPEC X11. A rule that agrees less often with the client than this is ignored. */
export const CONFIDENCE_MIN = 0.9

const NEWEST = '2.1.325'

/** By the text after the spinner. The first that matches decides. */
export const STATUS_LINES: readonly PatternRule[] = [
  {
    name: 'waits for its subagents',
    pattern: /^Waiting for \d+ .*to finish/,
    shows: 'background',
    confidence: 1,
    version: NEWEST,
    seenIn: 'agent_bg',
  },
  {
    name: 'tasks still run',
    pattern: / still running$/,
    shows: 'background',
    confidence: 1,
    version: NEWEST,
    seenIn: 'bash_bg',
  },
  {
    name: 'a turn has ended',
    pattern: /^\S+ for \d[^…]* done [^…]*$/,
    shows: 'prompt',
    confidence: 0.999,
    version: NEWEST,
    seenIn: 'hello',
  },
  {
    name: 'it goes on',
    pattern: /…/,
    shows: 'working',
    confidence: 0.995,
    version: NEWEST,
    seenIn: 'bash_approve',
  },
  {
    name: 'it tries again',
    pattern: /Retrying in /,
    shows: 'working',
    confidence: 1,
    version: NEWEST,
    seenIn: 'err529',
  },
]

/** A status that matches none of them belongs to a finished turn. */
export const FINISHED: ScreenRule = {
  name: 'a status that stands still',
  shows: 'prompt',
  confidence: 1,
  version: '2.1.150',
  seenIn: 'older_agent_bg',
}

/** The input line with no status above it. */
export const BARE: ScreenRule = {
  name: 'a bare input line',
  shows: 'prompt',
  confidence: 0.94,
  version: NEWEST,
  seenIn: 'hello',
}

/** The chosen line of a list: every dialog has one (bash_approve, plan_approve, trust_dialog). */
export const SELECTED = '❯ '
export const SELECTOR = /^\s{0,4}❯ \S/

/**
 * How the agent's messages begin. Newer clients put a status below it when the turn is over; while
 * it streams in there is none, and no spinner either. The rule claims neither state, so no report
 * can contradict it.
 */
export const ANSWER: PatternRule = {
  name: 'an answer',
  pattern: /^[●⏺]/,
  shows: 'text',
  confidence: 1,
  version: NEWEST,
  seenIn: 'stream_stall',
}

/** 1.0 draws a box around its dialogs (oldest_bash_approve). */
export const BORDER = /^│ /

/** The upper edge of a slash command's panel: it may have neither a list nor a foot. */
export const PANEL: PatternRule = {
  name: 'a panel',
  pattern: /^▔{20,}/,
  shows: 'dialog',
  for: 'dialog',
  confidence: 0.927,
  version: NEWEST,
  seenIn: 'slash_help',
}

/** Foot or heading of a dialog. The lowest line that matches one of them decides. */
export const DIALOGS: readonly PatternRule[] = [
  {
    name: 'a plan',
    pattern: /^ {0,4}(Exit plan mode\?|Ready to code\?|Would you like to proceed\?)/,
    shows: 'dialog',
    for: 'plan',
    confidence: 1,
    version: NEWEST,
    seenIn: 'plan_approve',
  },
  {
    name: 'a permission',
    pattern: /^ {0,4}Do you want to /,
    shows: 'dialog',
    for: 'permission',
    confidence: 1,
    version: NEWEST,
    seenIn: 'bash_approve',
  },
  {
    name: 'trust in a folder',
    pattern: /^ {0,4}Quick safety check:/,
    shows: 'dialog',
    for: 'dialog',
    // No other source reports before the folder is trusted, so none contradicted this.
    confidence: 1,
    version: NEWEST,
    seenIn: 'trust_dialog',
  },
  {
    name: 'a login',
    // The foot is no sign of it: it changes with the keys that its user presses.
    pattern: /^ {0,4}Select login method:/,
    shows: 'dialog',
    for: 'dialog',
    confidence: 1,
    version: NEWEST,
    seenIn: 'login_dialog',
  },
  {
    name: 'a question',
    pattern: /^ {0,4}(Enter to select · |Ready to submit your answers\?)/,
    shows: 'dialog',
    for: 'question',
    confidence: 1,
    version: NEWEST,
    seenIn: 'ask_answer',
  },
  {
    name: 'a question of an MCP server',
    pattern: /^ {0,4}MCP server .* requests your input$/,
    shows: 'dialog',
    for: 'question',
    confidence: 1,
    version: NEWEST,
    seenIn: 'mcp_elicit_left',
  },
]

/** The last line of any other list of the client: menus, settings, a choice at exit. */
export const FOOT: PatternRule = {
  name: 'the foot of a list',
  pattern: /(^ {0,4}|· )Esc(\/\w+)* to \w+/,
  shows: 'dialog',
  for: 'dialog',
  confidence: 1,
  version: NEWEST,
  seenIn: 'auto_leave',
}

/** Above the input line for a moment, until the dialog is drawn in its place. */
export const ASKING: PatternRule = {
  name: 'a permission to come',
  pattern: /^ {2}Waiting for permission…/,
  shows: 'dialog',
  for: 'permission',
  confidence: 0.926,
  version: NEWEST,
  seenIn: 'ask_chat',
}

/** A command the user runs with `!`: no spinner; a line of its own shows that it runs. */
export const BANG: PatternRule & { readonly above: RegExp } = {
  name: 'a command of its user’s',
  pattern: /^\s{2}⎿\s+Running…/,
  above: /^! /,
  shows: 'working',
  confidence: 1,
  version: NEWEST,
  seenIn: 'bang',
}

export const SCREEN_RULES: readonly ScreenRule[] = [
  ...STATUS_LINES,
  FINISHED,
  BARE,
  ANSWER,
  PANEL,
  ...DIALOGS,
  FOOT,
  ASKING,
  BANG,
]
