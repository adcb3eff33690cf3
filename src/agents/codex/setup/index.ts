import type { Setup } from '../../setup.ts'
import { HOOKED_EVENTS } from '../events.ts'
import { checkHooksIn } from './check.ts'
import { CONFIG_FILE, HOOKS_FILE } from './memory.ts'
import { planHooks, removeHooks } from './plan.ts'
import { hookedEvents } from './trust.ts'

export const codexSetup: Setup = {
  // The marks first: hooks without them open a dialog at the client's start.
  files: [CONFIG_FILE, HOOKS_FILE],
  options: [],
  knownEvents: () => HOOKED_EVENTS,
  wantedEvents: () => HOOKED_EVENTS,
  installedEvents: hookedEvents,
  plan: planHooks,
  remove: removeHooks,
  ownFiles: () => ({ scripts: {}, copies: {} }),
  has: () => [],
  check: checkHooksIn,
}
