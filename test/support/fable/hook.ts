import { fields, given, numberIn, path, shortText, textIn } from '../../../src/agents/read.ts'
import type { About, Happening, Report } from '../../../src/core/signal.ts'

/** `{"tale":"t1","happened":"turn.begin","place":"/home/ada","book":"/…/t1.tale"}` */
export function aboutHook(report: Report): About {
  const { tale, place } = fields(report.payload)
  const pid = numberIn(fields(report.env).fablePid)
  return { agent: 'fable', session: shortText(tale), pid, folder: path(place) }
}

export function eventOf(report: Report): string | undefined {
  return textIn(fields(report.payload).happened)
}

export function fromHook(report: Report): Happening[] {
  const { place, book, tmuxPane, tmux, tool, what } = {
    ...fields(report.env),
    ...fields(report.payload),
  }
  const details = given({
    cwd: path(place),
    transcript: path(book),
    pane: shortText(tmuxPane),
    tmux: path(textIn(tmux)?.split(',')[0]),
  })
  const said: Happening[] = [{ kind: 'life' }, { kind: 'details', details }]
  switch (eventOf(report)) {
    case 'turn.begin':
      return [{ kind: 'turn-started', by: 'user' }, ...said]
    case 'turn.end':
      return [{ kind: 'turn-ended', how: 'done' }, ...said]
    case 'ask': {
      const asked = {
        tool: shortText(tool) ?? 'a tool',
        input: '',
        ...given({ text: shortText(what) }),
      }
      return [{ kind: 'request-opened', for: 'permission', ...asked }, ...said]
    }
    case 'quit':
      return [{ kind: 'left', how: 'closed the book' }]
    default:
      return []
  }
}
