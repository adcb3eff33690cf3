import type { Mutant } from './mutants.ts'

type Breakage = readonly [breaks: string, find: string, replace: string, caughtBy: string]

/** Figures, timelines and the demo: broken once each. */
export const INSIGHT_MUTANTS: readonly Mutant[] = [
  ...within(
    'src/insight/calendar',
    [
      ['a stretch begins a day early', '- DAYS[period] + 1', '- DAYS[period]', 'IN1'],
      [
        'a clock that is set within an hour is set at its end',
        'return this.#offsetOf(Math.floor(t / QUARTER_MS) * QUARTER_MS)',
        'return this.#offsetOf(Math.floor(t / HOUR_MS) * HOUR_MS)',
        'IN1',
      ],
    ],
    'test/insight/figures.test.ts',
  ),
  ...within(
    'src/insight/spread',
    [
      [
        'quarters that are filled count one too many',
        'this.#rise(first + 1, 1)',
        'this.#rise(first, 1)',
        'IN2',
      ],
      [
        'the beginning of a stretch is left out',
        'this.#addPart(first, this.#calendar.beginOf(first + 1) - from)',
        '',
        'IN2',
      ],
    ],
    'test/insight/figures.test.ts',
  ),
  ...within(
    'src/insight/walk',
    [
      [
        'tasks that run on are no work',
        "new Set(['working', 'background'])",
        "new Set(['working'])",
        'IN2',
      ],
      [
        'a turn begins after every wait',
        "new Set(['waiting', 'stuck'])",
        "new Set(['stuck'])",
        'IN4',
      ],
      ['a stand-in counts as a session', "&& this.#now?.state !== 'gone'", '', 'IN4'],
      ['a dialog whose agent died was answered', "new Set(['closed', ", 'new Set([', 'IN5'],
      [
        'what an answer took before the stretch is forgotten',
        'lengthOf(this.#ledger.watched(was.at, to))',
        'lengthOf(this.#ledger.watched(Math.max(was.at, to - 3_600_000), to))',
        'IN5',
      ],
    ],
    'test/insight/figures.test.ts',
  ),
  ...within(
    'src/insight/walk',
    [
      [
        'a request that was too short to read was answered',
        'if (ms < NOTIFY_SETTLE_MS) return',
        '',
        'IN5',
      ],
      [
        'a wait begins when it was reported',
        "if (state !== 'waiting') return t",
        'return t',
        'IN5',
      ],
      [
        'a cost that began anew is taken back',
        'costUsd < before ? costUsd : costUsd - before',
        'costUsd - before',
        'IN7',
      ],
      [
        'a wait that goes on is none',
        'const open = next === undefined',
        'const open = false',
        'IN6',
      ],
    ],
    'test/insight/walk.test.ts',
  ),
  ...within(
    'src/insight/absences',
    [['time without a daemon counts', 'if (absence.from > at) parts', 'parts', 'IN3']],
    'test/insight/figures.test.ts',
  ),
  ...within(
    'src/insight/rank',
    [
      [
        'the ninth of ten is one off',
        'Math.ceil(share * count) - 1',
        'Math.ceil(share * count)',
        'IN5',
      ],
    ],
    'test/insight/walk.test.ts',
  ),
  ...within(
    'src/insight/csv',
    [['a folder’s name is a formula', '/^\\s*[=+\\-@]/.test(plain)', 'false', 'IN11']],
    'test/insight/csv.test.ts',
  ),
  ...within(
    'src/insight/pieces',
    [
      [
        'a change that says the same begins a piece',
        'if (said?.state === change.state && said.for === change.for) continue',
        '',
        'IN20',
      ],
      [
        'what waits between turns is one',
        "new Set(['working', 'stuck'])",
        "new Set(['working', 'stuck', 'waiting'])",
        'IN20',
      ],
    ],
    'test/insight/timeline.test.ts',
  ),
  ...within(
    'src/insight/steps',
    [
      [
        'the last to tell of a tool is right',
        'known === undefined ? reported : Math.min(known, reported)',
        'reported',
        'IN21',
      ],
    ],
    'test/insight/timeline.test.ts',
  ),
  ...within(
    'src/insight/timeline',
    [
      [
        'the longest are left out',
        'length(b) - length(a) || a.from - b.from',
        'length(a) - length(b)',
        'IN22',
      ],
    ],
    'test/insight/timeline.test.ts',
  ),
  ...within(
    'src/daemon/insight/read',
    [
      ['what was imported counts', 'if (found.past) continue', '', 'IN16'],
      [
        'a session that worked before the period does not count',
        'if (before) walk.said(saidOf(before))',
        '',
        'IN2',
      ],
      [
        'a placeholder’s time is lost',
        "last?.state === 'gone' ? (last.what ?? undefined) : undefined",
        'undefined',
        'IN4',
      ],
    ],
    'test/insight/read.test.ts',
  ),
  ...within(
    'src/daemon/insight/slices',
    [
      [
        'a month is read in one go',
        'const SLICE_MAX_MS = 4',
        'const SLICE_MAX_MS = 40_000',
        'IN12',
      ],
    ],
    'test/insight/read.test.ts',
  ),
  ...within(
    'src/store/write',
    [
      [
        'every line of a message counts',
        'ON CONFLICT (message) DO UPDATE SET input = max(input, excluded.input)',
        'ON CONFLICT (message) DO UPDATE SET input = input + excluded.input',
        'IN8',
      ],
    ],
    'test/insight/read.test.ts',
  ),
  ...within(
    'src/store/salvage',
    [
      [
        'a rebuilt log has no figures',
        "transact(into, 'could not save what is readable', () => into.exec(SAID_FROM_CHANGES))",
        '',
        'IN13',
      ],
    ],
    'test/insight/read.test.ts',
  ),
  ...within('src/view/insight', [
    [
      'nearly all is all',
      'Math.floor((100 * told) / expected)',
      'Math.round((100 * told) / expected)',
      'IN14',
    ],
  ]),
  ...within(
    'src/daemon/played',
    [['an answer in the demo has no effect', 'onAnswer?.()', '{}', 'IN32']],
    'test/insight/demo.test.ts',
  ),
  ...within(
    'src/surfaces/demo/beats',
    [
      ['a no is taken for a yes', 'decision?.allowed === false', 'false', 'IN32'],
      ['the demo repeats itself', 'pace(70_000, 150_000)', '1_000', 'IN31'],
    ],
    'test/insight/demo.test.ts',
  ),
  ...within(
    'src/app/stage',
    [['the demo leaves its folder', '      remove()\n', '', 'IN30']],
    'test/insight/demo.test.ts',
  ),
]

function within(file: string, breakages: readonly Breakage[], test = `${file}.test.ts`): Mutant[] {
  return breakages.map(([breaks, find, replace, caughtBy]) => ({
    ...{ breaks, file: `${file}.ts`, find, replace, test, caughtBy },
  }))
}
