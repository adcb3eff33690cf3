import type { Mutant } from './mutants.ts'

type Breakage = readonly [breaks: string, find: string, replace: string, caughtBy: string]

const MANY = 'test/many-sessions.test.ts'
const FOLDERS = 'test/sources/many-folders.test.ts'

/** What there may be much of: each bound broken once. */
export const LIMIT_MUTANTS: readonly Mutant[] = [
  ...within('src/sources/transcript-folders.ts', FOLDERS, [
    [
      'an old folder is never watched',
      'else if (this.#started) this.#projects.add(folder)',
      '',
      'LI1',
    ],
  ]),
  ...within('src/sources/folder-watch.ts', FOLDERS, [
    ['a missing folder is watched anew', '&& this.#waitsAtParent()', '&& false', 'LI2'],
  ]),
  ...within('src/daemon/watching.ts', FOLDERS, [
    ['config folders have no bound', 'size <= HOMES_MAX', 'size <= 1e9', 'LI2'],
    ['any config folder gives way', 'if (this.#own.has(key)) continue', '', 'LI2'],
  ]),
  ...within('src/view/diff.ts', 'src/view/request.test.ts', [
    [
      'blanks at line ends cost the square of their number',
      'line.trimEnd()',
      "line.replace(/\\s+$/, '')",
      'LI6',
    ],
  ]),
  ...within('src/daemon/new-session-limit.ts', MANY, [
    ['posted sessions have no bound', 'this.#counted >= OPEN_MAX', 'false', 'LI3'],
  ]),
  ...within('src/core/limits.ts', MANY, [
    ['one is looked for at a time', 'FORGET_BATCH = 200', 'FORGET_BATCH = 1', 'LI4'],
  ]),
  ...within('src/daemon/engine.ts', MANY, [
    ['all open sessions are replayed', 'newest.length < open.length', 'false', 'LI4'],
  ]),
  ...within('src/home/daemon-command.ts', 'test/program/small.test.ts', [
    ['a daemon keeps room for young objects', '[node, SMALL_HEAP, vigil', '[node, vigil', 'LI7'],
  ]),
  ...within('bin/vigil.js', 'test/program/small.test.ts', [
    ['a daemon compiles what is busy for a moment', 'if (isDaemon) saveMemory()', '', 'LI9'],
  ]),
  ...within('hook/vigil-holder', 'test/program/small.test.ts', [
    ['a holder’s daemon keeps room for young objects', '"$node" "$option"', '"$node"', 'LI7'],
  ]),
  ...within('src/daemon/loops/controller.ts', 'test/program/small.test.ts', [
    [
      'a loop does not load what decides',
      'if (open.length > 0) loadDeciderSoon(this.#parts.complain)',
      '',
      'LP91',
    ],
  ]),
  ...within('src/daemon/api/server.ts', 'test/program/small.test.ts', [
    [
      'the server loads the HTTP client of Node',
      "const { createServer } = process.getBuiltinModule('node:http')",
      "import { createServer } from 'node:http'",
      'LI8',
    ],
  ]),
  ...within('src/daemon/api/app.ts', 'test/program/small.test.ts', [
    [
      'a response uses the HTTP client of Node',
      'const headers = { ...HEADERS }',
      'const headers = Object.fromEntries(new Headers(HEADERS))',
      'LI8',
    ],
  ]),
  ...within('src/surfaces/cli/start-wait.ts', MANY, [
    ['a start gets 15 s', 'this.#giveUpAt = this.#now() + START_MAX_MS\n', '', 'LI5'],
  ]),
]

function within(file: string, test: string, breakages: readonly Breakage[]): Mutant[] {
  return breakages.map(([breaks, find, replace, caughtBy]) => {
    return { breaks: `limit: ${breaks}`, file, find, replace, test, caughtBy }
  })
}
