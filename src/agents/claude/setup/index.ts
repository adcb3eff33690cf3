import type { Setup } from '../../setup.ts'
import { knownEvents, wantedEvents } from '../events.ts'
import { checkHome, installedEvents } from './check.ts'
import { checkManaged } from './managed.ts'
import { hasPlugin, SETTINGS_FILE, undoOf } from './memory.ts'
import { ownFiles, traces } from './own-files.ts'
import { planSettings } from './plan.ts'
import { removeFromSettings } from './remove.ts'

export const setup: Setup = {
  files: [SETTINGS_FILE],
  options: [
    {
      name: 'statusline',
      on: 'also read cost and context from the status line; your own status line is kept',
      off: 'restore your own status line',
    },
    {
      name: 'plugin',
      on: 'add /vigil:loop, /vigil:stop and /vigil:status to Claude Code',
      off: 'remove these commands',
      next: 'They also have the commands /vigil:loop, /vigil:stop and /vigil:status.',
    },
  ],
  knownEvents,
  wantedEvents,
  installedEvents,
  plan: planSettings,
  remove: removeFromSettings,
  ownFiles,
  traces,
  has: (memory) => [
    ...(undoOf(memory).wrapped ? ['statusline'] : []),
    ...(hasPlugin(memory) ? ['plugin'] : []),
  ],
  check: (homes, look) => [...checkManaged(look), ...homes.map((home) => checkHome(home, look))],
}
