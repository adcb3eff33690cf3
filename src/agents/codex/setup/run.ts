import { parseJson } from '../../../core/json.ts'
import { parseSettings } from '../../../edit/document.ts'
import { ownHooks } from '../../../edit/json-hooks.ts'
import type { RunContext, RunPlan } from '../../setup.ts'
import { HOOKED_EVENTS, handlerOf, ownCommands, trustedText, trustKey } from '../events.ts'
import { codexRoleOf, isOnItsOwn } from '../role.ts'
import { HOOKS_FILE, markOf } from './memory.ts'

/** The client's name of the place of hooks that are given as arguments. */
const FLAGS = '/<session-flags>/config.toml'

/**
 * SPEC CX27. Hooks for one run, as `-c hooks={…}` with their marks of trust. The shared daemon
 * takes no hooks from a client; a client that is given any starts a session of its own without the
 * daemon, which would end with its terminal. So hooks are given only where the session is the
 * client's own anyway.
 */
export function runCodex(given: readonly string[], place: RunContext): RunPlan {
  if (codexRoleOf(['codex', ...given]) !== 'client' || isInstalled(place)) return { args: given }
  if (isOnItsOwn(given)) return { args: ['-c', hooksFor(place), ...given] }
  return {
    args: given,
    lacks:
      'Codex’s daemon takes no hooks for one run: vigil watches this session through its server. ' +
      'For loops run vigil install, or add --no-daemon',
  }
}

function isInstalled({ home, own, read }: RunContext): boolean {
  const path = `${home}/${HOOKS_FILE}`
  const text = read(path)
  if (text === undefined || !parseJson(text)) return false
  return ownHooks(parseSettings(text, path), ownCommands([own.hook, ...own.earlier])).length > 0
}

/** A value of TOML on one line. */
function hooksFor({ own, sha256 }: RunContext): string {
  const text = JSON.stringify
  const events = HOOKED_EVENTS.map((event) => {
    const handler = Object.entries(handlerOf(event, own.hook))
    return `${event}=[{hooks=[{${handler.map(([key, of]) => `${key}=${text(of)}`).join(',')}}]}]`
  })
  const marks = HOOKED_EVENTS.map((event) => {
    const mark = markOf(trustedText(event, own.hook), sha256)
    return `${text(trustKey(FLAGS, event, 0, 0))}={trusted_hash=${text(mark)}}`
  })
  return `hooks={${[...events, `state={${marks.join(',')}}`].join(',')}}`
}
