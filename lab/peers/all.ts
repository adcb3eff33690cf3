import { ALWAYS_IDLE } from './always-idle.ts'
import { ccmanager } from './ccmanager.ts'
import { CLAUDE_RPG, CLAUDE_RPG_AMENDED } from './claude-rpg.ts'
import { CLAUDE_STATE } from './claude-state.ts'
import { CLAUDE_STATE_LATER } from './claude-state-later.ts'
import { NOTIFY_TMUX, NOTIFY_TMUX_WIRED } from './notify-tmux.ts'
import type { Absent, Peer } from './peer.ts'
import { PLATE_SPINNER } from './plate-spinner.ts'
import { VIGILS } from './vigil.ts'

/**
 * Rules of the earlier systems that judge state, from their documents. The fifth, idle's Stop hook,
 * decides whether a loop goes on; it has no word for a client's state.
 */
const RULES: readonly Peer[] = [
  ALWAYS_IDLE,
  CLAUDE_STATE,
  CLAUDE_STATE_LATER,
  PLATE_SPINNER,
  NOTIFY_TMUX,
  NOTIFY_TMUX_WIRED,
  CLAUDE_RPG,
  CLAUDE_RPG_AMENDED,
]

/** Every row of the table; packages from npm are installed only if allowed. */
export async function allPeers(mayInstall = true): Promise<readonly (Peer | Absent)[]> {
  return [...VIGILS, ...RULES, await ccmanager(mayInstall)]
}
