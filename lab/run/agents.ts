import { CODEX, CODEX_BEFORE, CODEX_NEWEST, NEWEST } from '../clients.ts'
import { playCodex } from '../codex/play.ts'
import { CODEX_CONVERSATIONS } from '../codex/scripts/all.ts'
import type { Conversation, Titled } from '../conversation.ts'
import { missingFor } from '../drive/missing.ts'
import { type Played, type PlayOptions, playConversation } from '../play.ts'
import { RECORDED, type Recorded } from '../record/shipped.ts'
import { CODEX_GATES } from '../score/gates.ts'
import { CONVERSATIONS } from '../scripts/all.ts'
import { fetched } from './fetched.ts'

/** What the lab plays, for each agent. */
export interface LabAgent<T extends Titled = Titled> {
  readonly name: string
  readonly newest: string
  readonly conversations: readonly T[]
  readonly playOne: (conversation: T, options: PlayOptions) => Promise<Played>
  /** Fetches a client that is missing; what is still missing then, in words. */
  readonly fetch: (client: string, tell: (text: string) => void) => Promise<string | undefined>
  /** What the lab lacks to run this client; undefined if it can. */
  readonly missing: (client: string) => string | undefined
  /** What `--gate` checks, unless what holds for all. */
  readonly gates?: typeof CODEX_GATES
  /** Its client runs in a network of its own. */
  readonly alone: boolean
  /** The shipped recordings, and their folder. */
  readonly recorded: readonly Recorded[]
  readonly recordings: URL
}

const RECORDINGS = new URL('../../test/recordings/', import.meta.url)

const claude: LabAgent<Conversation> = {
  name: 'Claude Code',
  newest: NEWEST,
  conversations: CONVERSATIONS,
  playOne: playConversation,
  fetch: (client, tell) => fetched(client, tell),
  missing: (client) => missingFor(client),
  alone: false,
  recorded: RECORDED,
  recordings: RECORDINGS,
}

const codex: LabAgent<(typeof CODEX_CONVERSATIONS)[number]> = {
  name: 'Codex',
  newest: CODEX_NEWEST,
  conversations: CODEX_CONVERSATIONS,
  playOne: playCodex,
  fetch: async (client, tell) =>
    (await fetched(client, tell, CODEX)) ?? (await fetched(CODEX_BEFORE, tell, CODEX)),
  missing: (client) => missingFor(client, CODEX),
  gates: CODEX_GATES,
  alone: true,
  recorded: CODEX_CONVERSATIONS.map(({ name }) => ({
    ...{ file: name, conversation: name, client: CODEX_NEWEST },
  })),
  recordings: new URL('codex/', RECORDINGS),
}

/** A conversation is only played by its own agent's `playOne`. */
export const LAB_AGENTS = { claude, codex } as unknown as Readonly<
  Record<'claude' | 'codex', LabAgent>
>
