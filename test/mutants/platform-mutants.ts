import type { Mutant } from './mutants.ts'

type Breakage = readonly [breaks: string, find: string, replace: string, caughtBy: string]

const HOOK = 'test/hook/portable.test.ts'
const POLLED = 'src/platform/polled-folder.test.ts'
const DAEMON = 'test/platform/portable.test.ts'

/** What differs between systems: each rule broken once. */
export const PLATFORM_MUTANTS: readonly Mutant[] = [
  ...within('src/platform/folder-events.ts', DAEMON, [
    ['the portable mode watches', 'const isSilent = IS_PORTABLE ||', 'const isSilent =', 'PT1'],
  ]),
  ...within('src/platform/ps-table.ts', 'src/platform/ps-table.test.ts', [
    ['columns are one word', "flatMap((column) => ['-o', ", "flatMap((column) => ['-o' + ", 'PT2'],
    ['ps is run each second', 'const LISTING_MS = 10_000', 'const LISTING_MS = 1_000', 'PT3'],
    ['no zombie is looked for', 'this.#busy = isBusy ? pids : []', 'this.#busy = []', 'PT3'],
    ['ps is run for idle agents', 'this.#busy = isBusy ? pids : []', 'this.#busy = pids', 'PT3'],
  ]),
  ...within('src/platform/ps-table.ts', DAEMON, [
    ['dates are local', "TZ: 'UTC'", 'TZ: process.env.TZ', 'PT2'],
  ]),
  ...within('src/core/process-start.ts', 'test/sources/processes.test.ts', [
    ['dates prove nothing', '<= START_SLACK_MS', '<= 1e9', 'S14'],
    [
      'another form is another process',
      'return one === other ||',
      'return one === other &&',
      'S14',
    ],
  ]),
  ...within('src/sources/death-look.ts', 'test/sources/processes.test.ts', [
    ['many processes wait long for a check', 'LOOKS_FOR_ALL = 8', 'LOOKS_FOR_ALL = 80', 'S27'],
  ]),
  ...within('src/sources/processes.ts', 'test/sources/processes.test.ts', [
    ['without a listing all are gone', 'all ? this.#watched : []', 'this.#watched', 'S27'],
  ]),
  ...within('hook/vigil-hook', HOOK, [
    ['any date will do', '[ "$*" = "$start" ]', ':', 'PT2'],
    ['a zombie is a daemon', "case $1 in '' | Z*) return 1 ;; esac", '', 'PT2'],
    ['hooks wake no daemon', '    wake_daemon\n', '', 'PT7'],
    ['every hook writes', 'echo >"$run/woken" || return', ':', 'PT7'],
  ]),
  ...within('src/platform/polled-folder.ts', POLLED, [
    ['appends are not seen', "this.#onEvent('change', name)", '', 'PT4'],
    ['every file is looked at', 'if (!isOneOfMany) for', 'for', 'PT4'],
  ]),
  ...within('src/platform/folder-polling.ts', POLLED, [
    ['ten times a second', 'const LOOK_MS = 500', 'const LOOK_MS = 100', 'PT5'],
    ['late while it works', 'this.isAnyBusy() ? LOOK_BUSY_MS : restMs', 'restMs', 'PT5'],
    ['as often for nothing', 'const LOOK_IDLE_MS = 2_000', 'const LOOK_IDLE_MS = 500', 'PT5'],
    ['one look a hook', 'const AGAIN_MS = [40, 120, 300]', 'const AGAIN_MS: number[] = []', 'PT5'],
  ]),
  ...within('src/platform/folder-events.ts', POLLED, [
    ['a silent mount is watched', 'SILENT_TYPES.has(typeOf(path))', 'false', 'PT6'],
  ]),
  ...within('src/home/folders.ts', 'src/home/folders.test.ts', [
    ['an open runtime folder is used', ' && !isOpenToAll(runtime)', '', 'PT10'],
    ['a shared folder is taken', '(mode & STICKY) !== 0', 'mode < 0', 'PF11'],
    ['a folder with other files is taken', ' && !isOfVigil(path)', ' && false', 'PF11'],
    ['any folder is vigil’s', 'above !== folder && hasOwnFile(above)', 'true', 'PF11'],
  ]),
  ...within('src/app/main.ts', DAEMON, [
    ['Windows is tried', 'if (why !== undefined) throw', 'if (why === "") throw', 'PT9'],
  ]),
  ...within('lab/score/gates.ts', DAEMON, [
    ['it may be wrong for 2 s', 'limit: 1_000 }', 'limit: 2_000 }', 'PT13'],
  ]),
]

function within(file: string, test: string, breakages: readonly Breakage[]): Mutant[] {
  return breakages.map(([breaks, find, replace, caughtBy]) => {
    return { breaks: `platform: ${breaks}`, file, find, replace, test, caughtBy }
  })
}
