import type { TimeRange } from '../../src/insight/absences.ts'
import type { WalkedChange } from '../../src/insight/walk.ts'

/** The same figures by looking at every minute of every session: slow, and easy to believe. */

const MINUTE_MS = 60_000

export interface Life {
  readonly id: string
  readonly project: string | null
  readonly said: readonly WalkedChange[]
}

interface Question {
  readonly days: number
  readonly zone: string
  readonly now: number
  readonly absences: readonly TimeRange[]
  readonly lives: readonly Life[]
}

export function slowFigures({ days, zone, now, absences, lives }: Question) {
  const clock = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const minutes: { at: number; day: string; hour: number }[] = []
  const seen = new Set<string>()
  for (let at = now - MINUTE_MS; ; at -= MINUTE_MS) {
    const [day = '', time = ''] = clock.format(at).split(' ')
    if (!seen.has(day) && seen.size === days) break
    seen.add(day)
    minutes.push({ at, day, hour: Number(time.slice(0, 2)) })
  }
  const from = (minutes.at(-1)?.at ?? now) as number
  const totals = { sessions: 0, turns: 0, workedMs: 0, waitedMs: 0 }
  const byHour = Array.from({ length: 24 }, (_, hour) => ({ hour, workedMs: 0, waitedMs: 0 }))
  const byDay = new Map([...seen].toSorted().map((day) => [day, { workedMs: 0, waitedMs: 0 }]))
  const byProject = new Map<string | null, { workedMs: number; waitedMs: number }>()
  const isWatched = (at: number) => !absences.some((gone) => gone.from <= at && at < gone.to)
  for (const { project, said } of lives) {
    const ofProject = byProject.get(project) ?? { workedMs: 0, waitedMs: 0 }
    byProject.set(project, ofProject)
    let busy = false
    for (const { at, day, hour } of minutes.filter((minute) => isWatched(minute.at))) {
      const state = said.findLast(({ t }) => t <= at)?.state
      const kind = kindOf(state)
      if (!kind) continue
      busy = true
      for (const sum of [totals, byHour[hour], byDay.get(day), ofProject])
        if (sum) sum[kind] += MINUTE_MS
    }
    if (busy && said.findLast(({ t }) => t < now)?.state !== 'gone') totals.sessions += 1
    totals.turns += turnsIn(said, from, now)
  }
  return { from, totals, byHour, byDay, byProject }
}

function kindOf(state: string | undefined): 'workedMs' | 'waitedMs' | undefined {
  if (state === 'working' || state === 'background') return 'workedMs'
  return state === 'waiting' ? 'waitedMs' : undefined
}

function turnsIn(said: readonly WalkedChange[], from: number, now: number): number {
  return said.filter(({ t, state }, i) => {
    const before = said[i - 1]?.state
    const begins = state === 'working' && !['working', 'waiting', 'stuck'].includes(before ?? '')
    return begins && t >= from && t < now
  }).length
}

/** How long each answer took that was given in the stretch, a minute at a time. */
export function slowAnswers({ lives, absences, from, now }: Question & { readonly from: number }) {
  const answers: { kind: string; ms: number }[] = []
  for (const { said } of lives) {
    said.forEach(({ t, state, for: kind }, i) => {
      const before = said[i - 1]
      if (state !== 'waiting' || (before?.state === 'waiting' && before.for === kind)) return
      const next = said.slice(i + 1).find((other) => other.state !== state || other.for !== kind)
      if (!next || next.t < from || next.t >= now) return
      if (['closed', 'unknown', 'starting', 'gone'].includes(next.state)) return
      let ms = 0
      for (let at = t; at < next.t; at += MINUTE_MS)
        if (!absences.some((gone) => gone.from <= at && at < gone.to)) ms += MINUTE_MS
      if (ms > 0) answers.push({ kind: kind ?? 'dialog', ms })
    })
  }
  return answers
}
