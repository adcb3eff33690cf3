import type { Mutant } from './mutants.ts'

type Breakage = readonly [breaks: string, find: string, replace: string, caughtBy: string]

const web = 'src/surfaces/web'
const model = `${web}/model`

/** The page: its rules broken once each, where no browser is needed to see it. */
export const PAGE_MUTANTS: readonly Mutant[] = [
  ...within(`${model}/update.ts`, `${model}/update.test.ts`, [
    ['a phone opens a session by itself', 'wide && choosesFirst', 'choosesFirst', 'PG6'],
    ['what is pointed at is not chosen', 'state.isChosen || ', 'false && ', 'PG6'],
    ['what begins to wait is not said', 'announcement(began(', "''; void (began(", 'PG12'],
  ]),
  ...within(`${model}/keys.ts`, `${model}/keys.test.ts`, [
    ['keys work behind the help', 'if (state.help) return', 'if (false) return', 'PG7'],
    ['a key answers what is not seen', '!(wide || route.at', '!(true || route.at', 'PG7'],
    ['a key answers from elsewhere', "if (state.route.at === 'insight')", 'if (false)', 'PG7'],
  ]),
  ...within(`${model}/steps.ts`, `${model}/keys.test.ts`, [
    ['what is opened stays unread', 'session?.unread &&', 'false &&', 'PG7'],
  ]),
  ...within('src/view/board/news.ts', `${model}/update.test.ts`, [
    [
      'a session that left is not announced',
      '({ id }) => !after.has(id)',
      '({ id }) => after.has(id)',
      'PG4',
    ],
  ]),
  ...within('src/core/unseen.ts', 'src/view/safe.test.ts', [
    ['an override of direction acts', '\\\\u2028-\\\\u202e', '\\\\u2028-\\\\u202d', 'PG20'],
    ['escapes reach the page', '\\\\u000b-\\\\u001f', '\\\\u000b-\\\\u001a', 'PG20'],
  ]),
  ...within('src/view/safe.ts', 'src/view/safe.test.ts', [
    [
      'a text is cut within a character',
      'last <= 0xdbff ? max - 1',
      'last <= 0xdbff ? max',
      'PG22',
    ],
  ]),
  ...within(`${web}/text/link.ts`, `${web}/text/link.test.ts`, [
    ['links may run scripts', "'mailto:'])", "'mailto:', 'javascript:'])", 'PG21'],
    ['links may hide a name', "|| url.username !== ''", '', 'PG21'],
  ]),
  ...within(`${web}/text/markdown.ts`, `${web}/text/markdown.test.ts`, [
    [
      'pictures are links',
      "case 'image':",
      "case 'image': return linked(node.url, [], '')",
      'PG21',
    ],
    ['a text keeps the page busy', 'isCostly(text)\n', 'false\n', 'PG21'],
  ]),
  ...within('src/view/diff.ts', 'src/view/diff.test.ts', [
    ['all of a file is shown', 'if (!near[at]) {', 'if (false) {', 'PG14'],
  ]),
  ...within('src/edit/line-steps.ts', 'src/view/diff.test.ts', [
    [
      'what goes comes',
      "'same' : at(i + 1, j) >= at(i, j + 1) ? 'del' : 'add'",
      "'same' : at(i + 1, j) >= at(i, j + 1) ? 'add' : 'del'",
      'PG14',
    ],
    ['lines are compared however many', 'a.length * b.length > pairsMax || ', '', 'PG14'],
  ]),
  ...within(`${web}/board/sight.ts`, `${web}/board/sight.test.ts`, [
    ['a row that has the focus is not drawn', 'isChosen || ', '', 'PG8'],
    ['a group’s name is out of sight', '? top - heights.group : top', '? top : top', 'PG8'],
  ]),
  ...within(`${web}/answer/draft.ts`, `${web}/answer/draft.test.ts`, [
    ['half an answer goes out', 'if (!isAnswered(choice)) return null', '', 'PG17'],
    ['several are one', 'one.several ? all :', 'false ? all :', 'PG17'],
  ]),
  ...within(`${web}/frame/tab-sign.ts`, `${web}/frame/tab-sign.test.ts`, [
    ['the tab shows no number', 'needy === 0 ?', 'needy >= 0 ?', 'PG10'],
  ]),
  ...within(`${web}/answer/use-answering.ts`, 'test/page/answer.test.ts', [
    ['a request is answered as it appears', 'SETTLE_MS = 400', 'SETTLE_MS = 0', 'PG16'],
  ]),
  ...within(`${web}/session/now.tsx`, 'test/page/answer.test.ts', [
    ['a key answers all that is asked', 'hasKeys={request === main}', 'hasKeys', 'PG16'],
  ]),
  ...within(`${web}/parts/safe-text.tsx`, 'test/page/hostile.test.ts', [
    ['what is not seen acts on the page', "run.kind === 'text' ? (", 'true ? (', 'PG20'],
  ]),
]

function within(file: string, test: string, breakages: readonly Breakage[]): readonly Mutant[] {
  return breakages.map(([breaks, find, replace, caughtBy]) => ({
    ...{ breaks: `page: ${breaks}`, file, find, replace, test, caughtBy },
  }))
}
