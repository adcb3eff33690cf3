import { translateClaude } from '../../src/agents/claude/translate.ts'
import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import { PROCESS } from '../../src/core/stand-ins.ts'
import { Tracker } from '../../src/core/tracker.ts'
import type { Verdict } from '../../src/core/verdict.ts'
import { type Recording, reportsOf } from '../../src/recording/read.ts'

/** The shown values of a session, one by one. */
const SHOWN = {
  state: ({ state, for: kind, after, cause }: Verdict) => [state, kind, after, cause].join(' '),
  tool: ({ doing }: Verdict) => (doing?.what === 'tool' ? doing.tool : ''),
  tasks: ({ tasks }: Verdict) => tasks.length,
  text: ({ request }: Verdict) => request?.text,
  unread: ({ unread }: Verdict) => unread,
} satisfies Record<string, (verdict: Verdict) => unknown>

export type Aspect = keyof typeof SHOWN
export const ASPECTS = Object.keys(SHOWN) as Aspect[]

/** How often the two are compared. */
const STEP_MS = 50

/** The share of the time in which something is shown differently with these hooks than with all. */
export type Differences = Readonly<Record<Aspect, number>>

export type KeepsEvent = (event: string) => boolean

/** Every hook event in these recordings. */
export function eventsIn(recordings: readonly Recording[]): readonly string[] {
  const events = recordings.flatMap(({ lines }) => lines.flatMap((line) => eventOf(line) ?? []))
  return [...new Set(events)].toSorted()
}

/** Compares what the core shows with some hooks and with all of them. */
export function differencesOf(recordings: readonly Recording[], keeps: KeepsEvent): Differences {
  const counts = Object.fromEntries(ASPECTS.map((aspect) => [aspect, 0])) as Record<Aspect, number>
  let looks = 0
  for (const recording of recordings) {
    const all = looksAt(recording, () => true)
    const some = looksAt(recording, keeps)
    for (const [index, shown] of all.entries())
      for (const [session, verdict] of shown) {
        looks += 1
        const other = some[index]?.get(session)
        for (const aspect of ASPECTS)
          if (!other || SHOWN[aspect](verdict) !== SHOWN[aspect](other)) counts[aspect] += 1
      }
  }
  const share = (aspect: Aspect) => (100 * counts[aspect]) / Math.max(1, looks)
  return Object.fromEntries(ASPECTS.map((aspect) => [aspect, share(aspect)])) as Differences
}

/** The shown values of each session, at each sample. */
function looksAt(recording: Recording, keeps: KeepsEvent): ReadonlyMap<string, Verdict>[] {
  const lines = recording.lines.filter((line) => keeps(eventOf(line) ?? '') || !eventOf(line))
  const reports = [...reportsOf({ ...recording, lines }, new Set())].values()
  const tracker = new Tracker(translateClaude)
  const looks: Map<string, Verdict>[] = []
  const end = recording.lines.at(-1)?.t ?? 0
  let next = reports.next()
  for (let now = recording.lines[0]?.t ?? end; now <= end; now += STEP_MS) {
    for (; !next.done && next.value.t <= now; next = reports.next()) tracker.take(next.value)
    tracker.runTo(now)
    const named = [...tracker.sessions.ids()].filter((id) => !id.startsWith(PROCESS))
    looks.push(new Map(named.flatMap((id) => shownOf(tracker, id))))
  }
  return looks
}

function shownOf(tracker: Tracker, id: string): [string, Verdict][] {
  const verdict = tracker.verdict(id)
  return verdict ? [[id, verdict]] : []
}

function eventOf({ source, payload }: RecordedLine): string | undefined {
  if (source !== 'hook') return undefined
  return String((payload as { hook_event_name?: unknown } | undefined)?.hook_event_name)
}
