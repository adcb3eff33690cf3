import { NEWEST } from '../clients.ts'
import { CONVERSATIONS } from '../scripts/all.ts'

/** A recording under `test/recordings`: which conversation, by which client. */
export interface Recorded {
  readonly file: string
  readonly conversation: string
  readonly client: string
}

/**
 * How older clients differ: 2.1.150 reports less by hooks, 2.0.50 and 1.0.128 have no registry file
 * and draw other screens.
 */
const OLDER: readonly Recorded[] = [
  ...['agent_bg', 'ask_escape', 'bash_approve', 'esc_stream', 'plan_approve'].map((name) =>
    older('older', name, '2.1.150'),
  ),
  older('old', 'bash_approve', '2.0.50'),
  older('oldest', 'bash_approve', '1.0.128'),
]

/** Every shipped recording; `npm run lab:record` makes them. */
export const RECORDED: readonly Recorded[] = [
  ...CONVERSATIONS.map(({ name }) => ({ file: name, conversation: name, client: NEWEST })),
  ...OLDER,
]

function older(prefix: string, conversation: string, client: string): Recorded {
  return { file: `${prefix}_${conversation}`, conversation, client }
}
