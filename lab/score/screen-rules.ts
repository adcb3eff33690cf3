import { ruledBy } from '../../src/agents/claude/screen.ts'
import type { ScreenRule } from '../../src/agents/claude/screen-rules.ts'
import type { RecordedLine, Truth } from '../../src/agents/truth-reader.ts'
import { strandsOf } from '../../src/recording/client-runs.ts'
import { truthOf } from '../../src/recording/truth.ts'

/** A screen is drawn and read a moment after the event. */
const GRACE_MS = 300

/** For how long a rule decided what a screen shows, and for how long the client agreed. */
export interface Agreement {
  ms: number
  agreedMs: number
  screens: number
}

const MEANS: Readonly<Record<ScreenRule['shows'], readonly Truth['state'][]>> = {
  dialog: ['waiting'],
  working: ['working'],
  background: ['working'],
  prompt: ['idle', 'error'],
  // It neither ends nor begins anything; only a dialog would contradict it.
  text: ['idle', 'error', 'working'],
  nothing: [],
}

/** Adds one run. In runs with several clients a screen does not name its client. */
export function addAgreement(all: Map<string, Agreement>, lines: readonly RecordedLine[]): void {
  const truth = truthOf(lines)
  if (truth.length === 0 || strandsOf(lines).some(({ alone }) => !alone)) return
  const screens = lines.filter(({ source }) => source === 'screen')
  for (const [index, screen] of screens.entries()) {
    const { rule } = ruledBy(String(screen.text))
    if (!rule) continue
    const agreement = all.get(rule.name) ?? { ms: 0, agreedMs: 0, screens: 0 }
    all.set(rule.name, agreement)
    agreement.screens += 1
    const until = screens[index + 1]?.t ?? lines.at(-1)?.t ?? screen.t
    for (const { state, from, to } of within(truth, screen.t, until)) {
      agreement.ms += to - from
      if (MEANS[rule.shows].includes(state)) agreement.agreedMs += to - from
    }
  }
}

/** The truth of a period; a dead client leaves its last screen behind. */
function within(truth: readonly Truth[], begin: number, end: number) {
  return truth.flatMap(({ t, state }, index) => {
    const from = Math.max(t + GRACE_MS, begin)
    const to = Math.min(truth[index + 1]?.t ?? end, end)
    return from < to && state !== 'closed' ? [{ state, from, to }] : []
  })
}
