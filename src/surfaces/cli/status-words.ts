import { agentOf } from '../../agents/index.ts'
import { RPG_PRIORITY, rpgStatus } from '../../core/vocabulary/claude-rpg.ts'
import { claudeState } from '../../core/vocabulary/claude-state.ts'
import { notifyTmux, type ToolSigns } from '../../core/vocabulary/notify-tmux.ts'
import { plateStatus } from '../../core/vocabulary/plate-spinner.ts'
import type { Session } from '../../protocol/session.ts'
import { isStale } from '../../view/freshness.ts'
import { inAttention } from '../../view/order.ts'
import { plain } from '../../view/session.ts'

interface SpokenSession {
  readonly id: string
  /** Null if that vocabulary has no word for it. */
  readonly word: string | null
  readonly name: string
  readonly cwd: string | null
}

/** SPEC CM15. Every session in another program's words, most urgent first. */
export function wordsIn(
  vocabulary: string,
  sessions: readonly Session[],
  now: number,
): SpokenSession[] {
  const wordOf = WORDS[vocabulary]
  const spoken = inAttention(sessions).map((session) => {
    const { id, cwd, agent } = session
    const signs = agentOf(agent)?.toolSigns?.document
    // SPEC FL82. Those vocabularies have no word for a state of a while ago.
    const said = isStale(session) ? undefined : wordOf?.(verdictOf(session), now, signs)
    const { word, ...more } = said ?? { word: undefined }
    return { id, word: word ?? null, name: plain(session.name, 40), cwd, ...more }
  })
  return vocabulary === RPG ? spoken.toSorted((a, b) => priority(b) - priority(a)) : spoken
}

/** claude-rpg has its own order. */
const RPG = 'claude-rpg'

function priority({ word }: SpokenSession): number {
  return RPG_PRIORITY[word as keyof typeof RPG_PRIORITY] ?? 0
}

type Judged = ReturnType<typeof verdictOf>

const WORDS: Readonly<
  Record<
    string,
    (verdict: Judged, now: number, signs?: ToolSigns) => { readonly word: string | undefined }
  >
> = {
  plates: (verdict) => ({ word: plateStatus(verdict) }),
  'claude-state': (verdict) => ({ word: claudeState(verdict) }),
  [RPG]: (verdict) => ({ word: rpgStatus(verdict) }),
  'notify-tmux': (verdict, now, signs) => {
    const view = notifyTmux(verdict, now, 'real-time', false, signs)
    const { state: word, ...more } = view ?? { state: undefined }
    return { word, ...more }
  },
}

function verdictOf({ state, since, typing, for: kind, after, doing }: Session) {
  const given = { ...(kind && { for: kind }), ...(after && { after }), ...(doing && { doing }) }
  return { state, since, typing, ...given }
}
