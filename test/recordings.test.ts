import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SOURCES, type Source } from '../src/core/signal.ts'
import { scoreRun } from '../src/recording/client-runs.ts'
import { percent, type Score, sumOf } from '../src/recording/meter.ts'
import { play } from '../src/recording/play.ts'
import { readRecording, reportsOf } from '../src/recording/read.ts'

const FOLDER = new URL('recordings/', import.meta.url)
const TAIL_MS = 20_000
/** A run that is wrong for longer has something in it that no source reports; less is a moment. */
const UNTOLD_MS = 1_200
const HARDLY_MS = 300
/** How far the mean over the states may lie below the plain share: no state is given up. */
const BALANCE_MAX = 1.5

const RECORDINGS = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.jsonl'))
  .map((file) =>
    readRecording(file.replace(/\.jsonl$/, ''), readFileSync(new URL(file, FOLDER), 'utf8')),
  )

/** What no source but registry and screen tells, so that without both vigil cannot know it. */
const ONLY_REGISTRY_AND_SCREEN_TELL: Readonly<Record<string, string>> = {
  agent_menu: 'the dialog of /tasks has no hook and no transcript entry',
  auto_leave: 'the dialog of auto mode has no PermissionRequest',
  auto_unchecked: 'the dialog of auto mode, and the one behind it, have no PermissionRequest',
  bang: 'a `!` command is written to the transcript only after it has ended, and has no hook',
  bang_esc: 'so is one that was interrupted',
  bg_exit: 'the dialog that asks whether to leave background work behind has no hook',
  err_esc: 'Esc between two tries leaves no hook and no transcript entry',
  esc_think: 'Esc before the first word leaves no hook and no transcript entry',
  esc_rewind: 'the menu that Esc pressed twice opens has no hook and no transcript entry',
  login_dialog: 'the list of /login has no hook and no transcript entry while open',
  model_switch: 'the menu of /model has no hook and no transcript entry while open',
  slash_help: 'what /help and /status show has no hook and no transcript entry',
  slash_resume: 'the list of /resume has no hook and no transcript entry while open',
  slash_menu: 'the menus of /model and /config have no hook and no transcript entry while open',
}

/** What no source but hook and registry tells. */
const ONLY_HOOK_AND_REGISTRY_TELL: Readonly<Record<string, string>> = {
  bg_exit: 'the client says goodbye more than a second before its process ends',
  two_sessions: 'two panes: the dialog on a screen belongs to its pane, not to its session',
  two_sessions_closed: 'the same',
}

/** Without a status in a registry file nothing tells what was true; the lab reads their screens. */
const WITHOUT_TRUTH = ['old_bash_approve', 'oldest_bash_approve', 'trust_refused']
const MEASURED = RECORDINGS.filter(({ name }) => !WITHOUT_TRUTH.includes(name))

interface Floor {
  readonly seen: string
  readonly without: readonly Source[]
  readonly leaveOut?: Readonly<Record<string, string>>
  readonly right: number
  readonly kind: number
  readonly worstMs?: number
  /** Every run ends in its true state, and no true state lies far below the rest. */
  readonly finals: boolean
}

const FULL = { right: 99.9, worstMs: 300, kind: 99, finals: true }

const FLOORS: readonly Floor[] = [
  { seen: 'all sources', without: [], ...FULL },
  { seen: 'without hook', without: ['hook'], ...FULL },
  { seen: 'without transcript', without: ['transcript'], ...FULL },
  {
    seen: 'without registry',
    without: ['registry'],
    ...{ right: 99.5, worstMs: 1500, kind: 99, finals: true },
  },
  {
    seen: 'without registry and screen',
    without: ['registry', 'screen'],
    leaveOut: ONLY_REGISTRY_AND_SCREEN_TELL,
    ...{ right: 97.5, kind: 99, finals: true },
  },
  {
    seen: 'without hook and registry',
    without: ['hook', 'registry'],
    leaveOut: ONLY_HOOK_AND_REGISTRY_TELL,
    ...{ right: 95, worstMs: 3000, kind: 90, finals: true },
  },
  {
    // Many of the runs are ended by Esc, and Esc gives no hook.
    seen: 'hook and process alone',
    without: SOURCES.filter((source) => source !== 'hook' && source !== 'process'),
    ...{ right: 80, kind: 75, finals: false },
  },
]

interface Run {
  readonly name: string
  readonly score: Score
}

function runsOf({ without, leaveOut = {} }: Floor): Run[] {
  const left = MEASURED.filter(({ name }) => !Object.hasOwn(leaveOut, name))
  return left.map((recording) => {
    const endAt = (recording.lines.at(-1)?.t ?? 0) + TAIL_MS
    const changes = [...play(reportsOf(recording, new Set(without)), endAt)]
    const score = scoreRun(recording.lines, changes, endAt)
    if (!score) throw new Error(`${recording.name} has no truth to measure by`)
    return { name: recording.name, score }
  })
}

/** The run that lowers a share most, in words. */
function lowest(runs: readonly Run[], what: string, share: (score: Score) => number): string {
  const [worst] = runs.toSorted((a, b) => share(a.score) - share(b.score))
  if (!worst) return 'no run'
  return `lowest ${what}: ${worst.name} with ${share(worst.score).toFixed(2)} %`
}

function longest(runs: readonly Run[]): string {
  const [worst] = runs.toSorted((a, b) => (b.score.worst?.ms ?? 0) - (a.score.worst?.ms ?? 0))
  const wrong = worst?.score.worst
  if (!wrong) return 'no run was wrong'
  return `longest wrong: ${worst.name}, ${wrong.ms} ms it was ${wrong.truth}, said ${wrong.said}`
}

it('there are recordings to play, and every one can be read to its end', () => {
  expect(RECORDINGS.length).toBeGreaterThan(60)
  const broken = RECORDINGS.filter(({ bad, torn }) => bad.length > 0 || torn)
  expect(broken.map(({ name }) => name)).toEqual([])
})

it.each([
  [['registry', 'screen'], ONLY_REGISTRY_AND_SCREEN_TELL],
  [['hook', 'registry'], ONLY_HOOK_AND_REGISTRY_TELL],
] as const)('what is left out of a measure cannot be told without %j', (without, leftOut) => {
  const runs = runsOf({ seen: '', without, right: 0, kind: 0, finals: false })
  const wrongFor = (leastMs: number) =>
    runs
      .filter(({ score }) => (score.worst?.ms ?? 0) > leastMs || !score.finalRight)
      .map(({ name }) => name)
  expect(wrongFor(UNTOLD_MS).filter((name) => !Object.hasOwn(leftOut, name))).toEqual([])
  expect(Object.keys(leftOut).filter((name) => !wrongFor(HARDLY_MS).includes(name))).toEqual([])
})

describe.each(FLOORS)('$seen', (floor) => {
  const runs = runsOf(floor)
  const sum = sumOf(runs)

  it(`is right at least ${floor.right} % of the time`, () => {
    const why = lowest(runs, 'share', (score) => percent(score.rightMs, score.totalMs))
    expect(sum.rightPercent, why).toBeGreaterThanOrEqual(floor.right)
  })

  it(`knows for what it waits at least ${floor.kind} % of the time`, () => {
    const why = lowest(runs, 'kind', (score) => percent(score.kindRightMs, score.kindTotalMs))
    expect(sum.kindPercent, why).toBeGreaterThanOrEqual(floor.kind)
  })

  const { worstMs } = floor
  if (worstMs !== undefined)
    it(`is never wrong for over ${worstMs} ms`, () => {
      expect(sum.worstMs, longest(runs)).toBeLessThanOrEqual(worstMs)
    })

  if (!floor.finals) return

  it('ends every run in its true state', () => {
    const wrong = runs.filter(({ score }) => !score.finalRight)
    expect(wrong.map(({ name, score }) => `${name}: ${score.final}`)).toEqual([])
  })

  it(`gives up no state: balanced within ${BALANCE_MAX} points`, () => {
    const why = `by state: ${JSON.stringify(sum.recallPercent)}`
    expect(sum.balancedPercent, why).toBeGreaterThanOrEqual(sum.rightPercent - BALANCE_MAX)
  })
})
