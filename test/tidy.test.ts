import { describe, expect, it } from 'vitest'
import { BROWSER, CLIENT, isAmong } from './run/sets.ts'
import { filesOf, type SourceFile } from './support/files.ts'

const all = [
  ...filesOf('{src,test,bench,demo,lab,bin,tools}/**/*.{ts,tsx,js}'),
  ...filesOf('src/**/*.css'),
]
const source = all.filter(({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'))

/** Layers, each importing only from those before it. A new folder in `src/` must be placed here. */
const LAYERS = [
  'core',
  'protocol',
  'insight',
  'edit',
  'agents',
  'recording',
  'platform',
  'home',
  'install',
  'tmux',
  'sources',
  'store',
  'fleet',
  'client',
  'daemon',
  'view',
  'surfaces',
  'app',
]

/** What a pure layer may not use. A `new Date` of a given time tells nothing that was not told. */
const IMPURE = new RegExp(
  [
    'Date\\.now|new Date(?!\\(\\w)|Math\\.random|performance\\.|toLocale(?!Lower|Upper)',
    'process\\.(env|argv|cwd|on|exit|std)|Buffer|globalThis|node:|require\\(',
    'setTimeout|setInterval|setImmediate|queueMicrotask|fetch\\(',
  ].join('|'),
)

/** Text in, tree out: the one thing a pure layer takes from others. */
const PARSERS = [
  'src/core/loop/signals.ts imports mdast',
  'src/core/loop/signals.ts imports mdast-util-from-markdown',
  'src/edit/document.ts imports jsonc-parser',
]

const EXPORTED =
  /^export (?:async |abstract )?(?:const|function\*?|class|interface|type|enum|let) ([\w$]+)/gm

const LINES_MAX = 250
const TEST_LINES_MAX = 300
const FUNCTION_LINES_MAX = 70
const COLUMNS_MAX = 100

describe('style', () => {
  it('an exported name has one meaning in all of src', () => {
    expect(repeatedNames(source)).toEqual([])
  })

  it('an exported name that two files have is found', () => {
    const twice = [
      { path: 'src/a.ts', text: 'export interface Said {}\n' },
      { path: 'src/b.ts', text: 'export class Said {}\nexport class Other {}\n' },
    ]
    expect(repeatedNames(twice)).toEqual(['Said: src/a.ts, src/b.ts'])
  })

  it('no file is longer than a reader’s patience', () => {
    const long = all.filter(({ path, text }) => {
      const max = source.some((file) => file.path === path) ? LINES_MAX : TEST_LINES_MAX
      return text.trimEnd().split('\n').length > max
    })
    expect(names(long)).toEqual([])
  })

  it('no function is longer than a screen', () => {
    expect(all.flatMap(longFunctions)).toEqual([])
  })

  it('no line is wider than the page', () => {
    const wide = all.flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line, i) => ([...line].length > COLUMNS_MAX ? `${path}:${i + 1}` : [])),
    )
    expect(wide).toEqual([])
  })

  it('nothing is left to be done later', () => {
    const mark = new RegExp(['TO', 'DO|FIX', 'ME|XX', 'X'].join(''))
    const left = all.filter(({ text }) => mark.test(text.replaceAll('TodoWrite', '')))
    expect(names(left)).toEqual([])
  })
})

describe('tests', () => {
  const tests = all.filter(({ path }) => path.endsWith('.test.ts'))

  it('none is skipped without a reason: test/support/needs.ts puts it into the title', () => {
    const silent = /\b(describe|it)\.(skip|skipIf|runIf|todo)\b|\bskip: |\bskip\(/
    const skipping = tests.filter(({ text }) => silent.test(text)).map(({ path }) => path)
    // It shows how such tests are reported.
    expect(skipping).toEqual(['test/run/vitest.test.ts'])
  })

  it('none tries again by itself: test/run/second-try.ts does, and reports it', () => {
    expect(names(tests.filter(({ text }) => /\bretry: /.test(text)))).toEqual([])
  })

  it('those that a real client or browser takes part in are known, and only those', () => {
    const known = (path: string) => isAmong(path, [...BROWSER, ...CLIENT])
    const own = tests.filter(({ path }) => path.startsWith('test/'))
    const wrong = own.filter(({ path }) => known(path) !== reaches(path, REAL))
    expect(names(wrong)).toEqual([])
  })

  /** What starts a browser, or a client. */
  const REAL = ['test/support/browser.ts', 'lab/drive/pane.ts', 'lab/run.ts']

  /** Whether a file imports one of these, or names it as a program, on whatever way. */
  function reaches(path: string, goals: readonly string[], seen = new Set<string>()): boolean {
    if (goals.includes(path)) return true
    if (seen.has(path)) return false
    seen.add(path)
    const { text } = all.find((file) => file.path === path) ?? { text: '' }
    const named = text.replaceAll(/^import type .*$/gm, '').matchAll(/'(\.[^' ]*\.tsx?)'/g)
    return [...named].some((match) => reaches(pathOf(match[1], path), goals, seen))
  }
})

describe('layers', () => {
  it('every folder of src is a layer', () => {
    const folders = new Set(source.map(({ path }) => path.split('/')[1] ?? ''))
    expect([...folders].filter((folder) => !LAYERS.includes(folder))).toEqual([])
  })

  it('a layer imports only from those above it', () => {
    const breaches = source.flatMap(({ path, text }) => {
      const layer = LAYERS.indexOf(path.split('/')[1] ?? '')
      return importsOf(path, text)
        .filter((imported) => LAYERS.indexOf(imported.split('/')[1] ?? '') > layer)
        .map((imported) => `${path} imports ${imported}`)
    })
    expect(breaches).toEqual([])
  })

  it('view and surfaces know the daemon by its protocol alone', () => {
    const known = source
      .filter(({ path }) => /^src\/(view|surfaces)\//.test(path))
      .flatMap(({ path, text }) =>
        importsOf(path, text)
          .filter((imported) => imported.startsWith('src/daemon/'))
          .map((imported) => `${path} imports ${imported}`),
      )
    expect(known).toEqual([])
  })
})

describe('platforms', () => {
  const SPECIAL =
    /\/proc\b|process\.platform|from 'node:fs'.*\bwatch\b|\{[^}]*\bwatch\b[^}]*\} from 'node:fs'/

  it('[PT1] what differs between systems stands in one folder', () => {
    const elsewhere = source.filter(({ path }) => !path.startsWith('src/platform/'))
    const special = elsewhere.filter(({ text }) =>
      SPECIAL.test(text.split('\n').map(code).join('\n')),
    )
    expect(names(special)).toEqual([])
    for (const bad of [
      "open('/proc/1/stat')",
      'process.platform',
      "import { watch } from 'node:fs'",
    ])
      expect(SPECIAL.test(bad)).toBe(true)
  })

  it('[PT2] no list of columns without headings is given to ps as one word', () => {
    const listed = source.filter(({ text }) => /'-?o?[\w ]*=,/.test(text))
    expect(names(listed)).toEqual([])
    expect("'pid=,tty='").toMatch(/'-?o?[\w ]*=,/)
  })
})

describe('purity', () => {
  const pure = source.filter(({ path }) =>
    /^src\/(core|protocol|insight|edit|agents|view)\//.test(path),
  )

  it('core, protocol, figures, translators and view know no clock, no randomness, no Node', () => {
    const impure = pure.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, i) => (IMPURE.test(code(line)) ? `${path}:${i + 1}` : [])),
    )
    expect(impure).toEqual([])
  })

  it('they import nothing but each other and parsers: of Markdown, of the protocol', () => {
    const foreign = pure.flatMap(({ path, text }) =>
      [...text.matchAll(/from '([^'.][^']*)'/g)]
        .filter((match) => !(match[1] === 'zod' && path.startsWith('src/protocol/')))
        .map((match) => `${path} imports ${match[1]}`),
    )
    expect(foreign.filter((line) => !PARSERS.includes(line))).toEqual([])
  })

  it('the check itself sees what it forbids', () => {
    const impure = { path: 'src/core/x.ts', text: 'const now = Date.now()' }
    expect(IMPURE.test(code(impure.text))).toBe(true)
    expect(IMPURE.test(code('const now = new Date()'))).toBe(true)
    expect(IMPURE.test(code('const day = new Date(time)'))).toBe(false)
    for (const text of ["import { y } from '../surfaces/y.ts'", "await import('../surfaces/y.ts')"])
      expect(importsOf('src/core/x.ts', text)).toEqual(['src/surfaces/y.ts'])
  })
})

describe('output', () => {
  /** Commands that get the terminal itself, and why. */
  const GIVEN_THE_TERMINAL: Readonly<Record<string, string>> = {
    'src/surfaces/cli/run.ts': 'the agent’s own screen',
    'src/surfaces/cli/statusline-pass.ts': 'your own status line, as if nothing stood between',
    'src/surfaces/cli/jump.ts': 'tmux, when it attaches here',
    'src/surfaces/cli/take-up.ts': 'a resumed client, or tmux out of the live view',
  }
  /** The live view draws the whole screen, and makes its texts safe itself (`plain`). */
  const VIEW = 'src/surfaces/cli/live.ts'
  const WRITER = 'src/surfaces/cli/output.ts'
  const direct =
    /process\.std(out|err)|\bstd(out|err)\b.*= process|console\.|writeSync|'\/dev\/(tty|std|fd)/
  const commands = source.filter(({ path }) => /^src\/(app|surfaces\/cli)\//.test(path))

  it('[OS6] no command writes past the one place where output is made safe', () => {
    const past = commands.filter(
      ({ path, text }) => ![WRITER, VIEW].includes(path) && direct.test(text),
    )
    expect(names(past)).toEqual([])
    for (const bad of ["process.stdout.write('x')", 'console.log(x)', 'const { stdout } = process'])
      expect(direct.test(bad)).toBe(true)
  })

  it('[OS6] a program is given the terminal only where that is the purpose', () => {
    const giving = commands.filter(({ text }) => /stdio: ('inherit'|\[.*, 'inherit')/.test(text))
    expect(giving.map(({ path }) => path).toSorted()).toEqual(
      Object.keys(GIVEN_THE_TERMINAL).toSorted(),
    )
  })
})

describe('privacy', () => {
  it('no file names the machine it was written on, no recording a listing', () => {
    const files = [
      ...filesOf('**/*.{ts,tsx,js,css,html,md,json}'),
      ...filesOf('test/recordings/*.jsonl'),
    ]
    const machine = new RegExp(['/wo', 'rk/|/ro', 'ot/|registry\\.np', 'mjs'].join(''))
    expect(names(files.filter(({ text }) => machine.test(text)))).toEqual([])
    const listing = /"type":"(attachment|file-history|skill)/
    expect(names(files.filter(({ text }) => listing.test(text)))).toEqual([])
  })
})

function names(files: readonly SourceFile[]): string[] {
  return files.map(({ path, text }) => `${path} (${text.split('\n').length} lines)`)
}

function code(line: string): string {
  return /^\s*(\*|\/\*\*|\/\/)/.test(line) ? '' : line
}

function importsOf(path: string, text: string): string[] {
  return [...text.matchAll(/(?:from |import\()'(\.[^']*)'/g)].map((match) => pathOf(match[1], path))
}

function pathOf(named: string | undefined, from: string): string {
  return new URL(named ?? '', `file:///${from}`).pathname.slice(1)
}

/** Functions and methods by their first line; they end where their indentation comes back. */
function longFunctions({ path, text }: SourceFile): string[] {
  const lines = text.split('\n')
  return lines.flatMap((line, from) => {
    const start =
      /^( *)(?:export )?(?:async )?(?:function\*? |#?\w+\(.*\{$|const \w+ = .*=> \{$)/.exec(line)
    if (!start || /^ *(describe|it|test)(Unless)?\b/.test(line)) return []
    const end = lines.findIndex((other, i) => i > from && other.startsWith(`${start[1]}}`))
    return end - from > FUNCTION_LINES_MAX ? [`${path}:${from + 1} (${end - from} lines)`] : []
  })
}

/** A schema and the type inferred from it share a name, in one file. */
function repeatedNames(files: readonly SourceFile[]): readonly string[] {
  const found = files.flatMap(({ path, text }) =>
    [...text.matchAll(EXPORTED)].map(([, name = '']) => ({ path, name })),
  )
  return [...Map.groupBy(found, ({ name }) => name)].flatMap(([name, at]) => {
    const paths = [...new Set(at.map(({ path }) => path))]
    return paths.length > 1 ? [`${name}: ${paths.join(', ')}`] : []
  })
}
