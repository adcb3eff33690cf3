import type { Mutant } from './mutants.ts'

type Breakage = readonly [breaks: string, find: string, replace: string, caughtBy: string]

const web = 'src/surfaces/web'
const blocks = 'src/view/request.test.ts'
const arming = `${web}/model/arming.test.ts`
const reading = 'src/surfaces/tui/reading.test.ts'
const commands = 'test/answer/commands.test.ts'
const meant = 'test/page/meant.test.ts'
const seen = 'test/page/seen.test.ts'

/** What is approved was seen, and was meant: broken one at a time. */
export const SHOWN_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'a field called __proto__ is not shown',
    file: 'src/sources/safe-json.ts',
    find: '  Object.defineProperty(one, name,',
    replace: '  if (!name) Object.defineProperty(one, name,',
    test: 'src/sources/spool-parse.test.ts',
    caughtBy: 'SH1',
  },
  ...within('src/agents/claude/tool-fields.ts', blocks, [
    [
      'what is written hides as unchanged',
      "{ role: 'text', field: 'content' }",
      "{ role: 'change', field: 'content', ...REPLACED }",
      'SH1',
    ],
  ]),
  ...within('src/surfaces/cli/answer.ts', commands, [
    [
      'a suggestion is allowed unseen',
      '[...asks, ...suggestedLines(request, given)]',
      'asks',
      'SH6',
    ],
  ]),
  ...within('src/core/shown-path.ts', 'src/core/shown-path.test.ts', [
    ['a path that leads out looks as if it did not', '\\/\\.\\.?(\\/|$)|', '', 'SH14'],
    ['a folder called ~ looks like the home folder', " && !inFolder.startsWith('~')", '', 'SH14'],
  ]),
  ...within('src/daemon/requests/replaced-lines.ts', 'src/daemon/requests/replaced-lines.test.ts', [
    ['one of two places is taken', 'second !== undefined && !everywhere', 'false', 'SH15'],
    ['changes before it do not count', '    text = `', '    if (!text) text = `', 'SH15'],
  ]),
  ...within('src/home/regular-file.ts', 'test/answer/request-files.test.ts', [
    [
      'a pipe is waited for to number lines',
      'if (!before.isFile()) return undefined\n  const file = await open(path, FLAGS)',
      'const file = await open(path)',
      'BR6',
    ],
    ['a long file is read for a number', ' || stats.size > maxBytes) return', ') return', 'BR6'],
  ]),
  ...within('src/view/request.ts', blocks, [
    ['replacing everywhere is not marked', '=== false ? [everywhere]', '? [everywhere]', 'SH2'],
    ['lines are numbered by the change', '(lines[left.placeOf(after)] ?? null)', '1', 'SH15'],
    ['fields beside a command are not shown', '...rest.filter(({ marked }) => marked),', '', 'SH1'],
    ['a long name of a tool is cut', 'isPlainName(tool)\n', 'tool\n', 'SH1'],
    ['what may change a command is not marked', 'beside && !explains', 'false && !explains', 'SH2'],
  ]),
  ...within('src/view/diff.ts', blocks, [
    ['line ends are changed unseen', "['only line ends differ', ends],", '', 'SH3'],
    ['blanks come unseen', "kind === 'same' ? line :", 'true ? line :', 'SH3'],
  ]),
  ...within('src/agents/choice.ts', 'src/agents/choice.test.ts', [
    [
      'what is too long to be shown is allowed',
      'asks no question`)\n    return cut ? TOO_LONG : undefined',
      'asks no question`)\n    return undefined',
      'SH4',
    ],
  ]),
  ...within('src/daemon/requests/requests.ts', 'test/api/requests.test.ts', [
    ['what was not shown is allowed', 'shown !== spooled.digest', '!stored.spooled.digest', 'SH5'],
  ]),
  ...within('src/surfaces/cli/answer.ts', commands, [
    ['a script allows what it has not seen', '!isNamed && !hasTerminal()', 'false', 'SH6'],
  ]),
  ...within('src/surfaces/cli/paged.ts', 'test/answer/paged.test.ts', [
    [
      'what has no room on the terminal is shown at once',
      'if (all.length <= room)',
      'if (all.length > 0)',
      'SH6',
    ],
    [
      'keys that were typed before turn pages',
      'else if (performance.now() >= hearsAt)',
      'else if (hearsAt > 0)',
      'SH6',
    ],
  ]),
  ...within('src/surfaces/cli/answer-sure.ts', 'test/answer/paged.test.ts', [
    ['a yes that was typed before counts', '  await settled()\n', '  void settled\n', 'SH6'],
  ]),
  ...within('src/surfaces/cli/answer-said.ts', 'src/surfaces/cli/answer-said.test.ts', [
    ['a code fits every request that asks the same', '[id, digest]', '[digest]', 'SH6'],
  ]),
  ...within('src/surfaces/notify/ask.ts', 'test/notify/local.test.ts', [
    [
      'a button allows fields that are not shown',
      '= whatToShow(only)',
      '= whatToShow(only).slice(0, 1)',
      'SH7',
    ],
  ]),
  ...within('src/surfaces/tui/answer-keys.ts', reading, [
    ['y allows what was not scrolled to', 'read.wholeAt === null)', 'false)', 'SH8'],
  ]),
  ...within('src/surfaces/tui/reading.ts', reading, [
    ['what was read of one request counts for another', '[id, digest, state', '[state', 'SH8'],
  ]),
  ...within(`${web}/answer/use-answering.ts`, seen, [
    ['the page allows what was not in sight', "seen === 'whole' && !cut", '!cut', 'SH9'],
  ]),
  ...within(`${web}/answer/subject.tsx`, seen, [
    ['the page hides lines without a word', 'rows > 0 ? <p', 'rows < 0 ? <p', 'SH9'],
  ]),
  ...within(`${web}/parts/safe-text.tsx`, seen, [
    [
      'a folded text counts as seen',
      'useFold(more > 0, showMore)',
      'useFold(false, showMore)',
      'SH9',
    ],
  ]),
  ...within(`${web}/model/arming.ts`, arming, [
    [
      'a click counts as the page appears',
      '  if (!hasPaused(arming, at)) return arming',
      '',
      'SH10',
    ],
    [
      'a game goes on in the page',
      '? arming.hereSince : at',
      '? arming.hereSince : arming.hereSince',
      'SH10',
    ],
    [
      'taps on one place allow',
      'Math.hypot(place.x - pressed.x, place.y - pressed.y) < SAME_PLACE_PX',
      'false',
      'SH11',
    ],
    ['letters arm', 'arming.armed !== null && ', '', 'SH10'],
    [
      'another session is armed as well',
      '  if (armed?.session !== session)',
      '  if (!armed)',
      'SH11',
    ],
  ]),
  ...within(`${web}/model/keys.ts`, meant, [
    [
      'a key answers what was not chosen',
      'return why === null ? pageStep(state, { do: how })',
      'return why !== undefined ? pageStep(state, { do: how })',
      'SH12',
    ],
  ]),
  ...within(`${web}/model/update.ts`, arming, [
    [
      'a row taps the button that takes its place',
      'state.wide ? pointedAt(state, id, at) : state',
      'pointedAt(state, id, at)',
      'SH11',
    ],
  ]),
  ...within(`${web}/session/session-view.tsx`, meant, [
    ['a click on a button arms it', ' || isControl(nativeEvent.target)', '', 'SH10'],
  ]),
  ...within(`${web}/frame/use-page.ts`, meant, [
    ['what a script makes up is a key', '  if (!event.isTrusted) return\n', '', 'SH10'],
    [
      'a user who comes back needs to choose nothing',
      "['focus', 'blur']) addEventListener(name, look",
      "['focus']) addEventListener(name, look",
      'SH10',
    ],
  ]),
  ...within(`${web}/frame/sign-in.tsx`, meant, [
    ['a made-up code leads right to the page', ' && cameByItself', ' && false', 'SH13'],
  ]),
  ...within(`${web}/arrive.ts`, meant, [
    ['clicking on leads to the page', 'button.disabled && look()', '{}', 'SH13'],
  ]),
  ...within('src/daemon/api/app.ts', meant, [
    ['another site leads right to the page', 'comesFromElsewhere(request) &&', 'false &&', 'SH13'],
  ]),
]

function within(file: string, test: string, breakages: readonly Breakage[]): Mutant[] {
  return breakages.map(([breaks, find, replace, caughtBy]) => ({
    ...{ breaks, file, test, find, replace, caughtBy },
  }))
}
