import { canonicalJson } from '../../core/json.ts'
import type { Act, AuditedAct } from '../../protocol/act.ts'
import type { ActFilter, ActTable, AuditFilter } from '../../store/acts.ts'
import { sha256 } from '../../store/chain.ts'
import type { NewAct } from '../../store/chained.ts'
import type { ActEntry, ActRecorder } from './shapes.ts'

/** The text of an act: a message to an agent may be a page, a question's answer a letter. */
const WORDS_MAX_CHARS = 2_000
const WHO_MAX_CHARS = 200
/** As much of an input as the user is shown. */
const SHOWN_MAX_CHARS = 256 * 1024

/** Where acts are stored: the audit log, or a list in tests. */
type ActLog = Pick<ActTable, 'note' | 'list' | 'page'>

/** SPEC AN21, AU8. What users did, in the log. */
export class LoggedActs implements ActRecorder {
  readonly #log: ActLog
  readonly #now: () => number

  constructor(log: ActLog, now: () => number) {
    this.#log = log
    this.#now = now
  }

  note({ shown, ...entry }: ActEntry): Act {
    const who = entry.who.slice(0, WHO_MAX_CHARS)
    const words = entry.words.slice(0, WORDS_MAX_CHARS)
    const noted = { ...entry, who, words, at: this.#now() }
    return { ...noted, id: this.#log.note({ ...noted, ...shownOf(shown) }).act }
  }

  list(filter: ActFilter): readonly Act[] {
    return this.#log.list(filter) as readonly Act[]
  }

  audit(filter: AuditFilter): readonly AuditedAct[] {
    return this.#log.page(filter) as readonly AuditedAct[]
  }
}

/** SPEC AU8. The digest is of all of it, also where the text is cut. */
function shownOf(shown: unknown): Pick<NewAct, 'shown' | 'digest'> {
  if (shown === undefined) return {}
  const text = canonicalJson(shown)
  return { shown: text.slice(0, SHOWN_MAX_CHARS), digest: sha256(text) }
}
