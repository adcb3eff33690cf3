import { Listeners } from '../../src/daemon/listeners.ts'
import type { DialogPanes } from '../../src/daemon/requests/pane-requests.ts'

/** Sessions outside of tmux. */
export const NO_PANES: DialogPanes = {
  switched: new Listeners<string>(),
  typing: (session) => ({ session, on: false, since: null, by: null }),
  whyUnanswerable: async () => 'the session is not in tmux',
  answer: async () => {
    throw new Error('no pane')
  },
}
