import { nameBytesOf, tmuxQuoted } from '../../tmux/quote.ts'
import type { Auto, WindowSeen } from './reading.ts'

/**
 * Commands that write names and variables. The original values are kept in options of the window,
 * so the server remembers them whatever happens to vigil. Each command has a condition that the
 * server checks when it runs it: a window that is gone, or that the user renamed meanwhile, is left
 * alone, and no command can make the others fail.
 */

/**
 * If `if-shell` does not find its target, it evaluates another window: so the condition includes
 * the id.
 */
function within(id: string, condition: string, commands: readonly string[]): string {
  const isIt = `#{==:#{window_id},${id}}`
  return `if -F -t ${id} '#{&&:${isIt},${condition}}' { ${commands.join(' ; ')} }`
}

const STILL_OURS = '#{==:#{window_name},#{@vigil_wrote}}'
const KEPT = ['@vigil_was', '@vigil_auto', '@vigil_wrote', '@vigil_name']

/** vigil's first name for the window, unless the user renames it at this moment. */
export function take(window: WindowSeen, auto: Auto, name: Uint8Array): string {
  const { id } = window
  const unchanged = `#{==:#{automatic-rename},${window.auto ? 1 : 0}}`
  return within(id, `#{&&:${unchanged},#{==:#{@vigil_auto},}}`, [
    `set -wF -t ${id} @vigil_was '#{window_name}'`,
    `set -w -t ${id} @vigil_auto ${auto}`,
    ...rename(id, name),
  ])
}

export function repaint(id: string, name: Uint8Array): string {
  return within(id, STILL_OURS, rename(id, name))
}

/** A name goes through an option, because the result of a format is not expanded again. */
function rename(id: string, name: Uint8Array): string[] {
  return [
    `set -w -t ${id} @vigil_name ${tmuxQuoted(name)}`,
    `rename-window -t ${id} -- '#{@vigil_name}'`,
    `set -wF -t ${id} @vigil_wrote '#{window_name}'`,
  ]
}

/** Restores the name and `automatic-rename`, then removes vigil's options. */
export function restore({ id, held }: WindowSeen): string[] {
  if (!held) return []
  const auto = held.auto.startsWith('inherit') ? '-wu' : '-w'
  const value = held.auto.startsWith('inherit') ? '' : ` ${held.auto}`
  return [
    within(id, STILL_OURS, [
      `set -w -t ${id} @vigil_name ${tmuxQuoted(nameBytesOf(held.was))}`,
      `rename-window -t ${id} -- '#{@vigil_name}'`,
      `set ${auto} -t ${id} automatic-rename${value}`,
    ]),
    ...forget(id, KEPT),
  ]
}

/**
 * SPEC TM34. The window's style in the status line. A style of this window alone is saved beside
 * it; an inherited style comes back by itself. To tell the two apart the window's own style is
 * unset during this command.
 */
export function mark({ id, style }: WindowSeen, wanted: string): string[] {
  if (style === wanted) return []
  const isOurs = '#{==:#{window-status-style},#{@vigil_style}}'
  const back = [
    within(id, isOurs, [
      `set -wuq -t ${id} window-status-style`,
      within(id, '#{!=:#{@vigil_own_style},}', [
        `set -wF -t ${id} window-status-style '#{@vigil_own_style}'`,
      ]),
    ]),
    ...forget(id, ['@vigil_own_style', '@vigil_style']),
  ]
  return [...(style === '' ? [] : back), ...(wanted === '' ? [] : [giveStyle(id, wanted)])]
}

function giveStyle(id: string, style: string): string {
  const inherited = '#{==:#{window-status-style},#{@vigil_own_style}}'
  return within(id, '1', [
    `set -wF -t ${id} @vigil_own_style '#{window-status-style}'`,
    `set -wuq -t ${id} window-status-style`,
    within(id, inherited, forget(id, ['@vigil_own_style'])),
    `set -w -t ${id} window-status-style ${style}`,
    `set -w -t ${id} @vigil_style ${style}`,
  ])
}

/** The user named the window: vigil leaves the name alone while an agent is in it. */
export function leaveToHand(id: string): string[] {
  return [...forget(id, KEPT), `set -wq -t ${id} @vigil_hand 1`]
}

/** The last agent is gone: the next one may be shown again. */
export function forgetHand(id: string): string[] {
  return forget(id, ['@vigil_hand'])
}

function forget(id: string, options: readonly string[]): string[] {
  return options.map((option) => `set -wuq -t ${id} ${option}`)
}

/** A variable of a pane (`%1`) or a window (`@1`); undefined removes it. */
export function variable(target: string, option: string, value?: string): string {
  const scope = target.startsWith('%') ? 'p' : 'w'
  if (value === undefined) return `set -${scope}uq -t ${target} ${option}`
  return `set -${scope}q -t ${target} ${option} ${tmuxQuoted(value)}`
}

/** An option of the server: every status line can show it, and drawing it costs no process. */
export function segment(text: string): string {
  return text === '' ? 'set -suq @vigil_segment' : `set -sq @vigil_segment ${tmuxQuoted(text)}`
}
