import { DatabaseSync } from 'node:sqlite'
import { translateClaude } from '../../src/agents/claude/translate.ts'
import { Insights } from '../../src/daemon/insight/insights.ts'
import type { Session } from '../../src/protocol/session.ts'
import { migrate } from '../../src/store/migrate.ts'
import {
  type LoggedChange,
  type LoggedReport,
  type NewReport,
  Store,
} from '../../src/store/store.ts'

interface Parts {
  readonly reports: () => readonly LoggedReport[]
  readonly changes: () => readonly LoggedChange[]
  readonly look: (id: string) => Session | undefined
  readonly now: () => number
}

/** The real code that reads figures, on an in-memory log. */
export function insightsInMemory({
  reports,
  changes,
  look,
  now,
}: Parts): Pick<Insights, 'of' | 'timeline'> {
  const filled = () => {
    const store = memoryStore()
    const kept = { sessions: [], cursors: [], renamed: [] }
    store.commit({ reports: reports().map(named), changes: changes(), ...kept })
    return new Insights({ tables: store.insight, look, now })
  }
  return {
    of: (...asked) => filled().of(...asked),
    timeline: (...asked) => filled().timeline(...asked),
  }
}

/** As the daemon logs it: under its session, whether or not the verdict changed. */
function named({ report, session, key }: LoggedReport): NewReport {
  return { report, key, session: translateClaude(report)[0]?.about.session ?? session }
}

export function memoryStore(): Store {
  const db = new DatabaseSync(':memory:')
  migrate(db, 1)
  return new Store(db, ':memory:')
}
