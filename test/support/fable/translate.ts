import { fields, given, numberIn, ownTime, path, textIn } from '../../../src/agents/read.ts'
import { translatorOf } from '../../../src/agents/translator.ts'
import type { About, Happening, Report } from '../../../src/core/signal.ts'
import { aboutHook, fromHook } from './hook.ts'
import { taleOf } from './log.ts'
import { roleOf } from './role.ts'
import { readTitle } from './title.ts'

export const translate = translatorOf({
  id: 'fable',
  recognise: roleOf,
  readTitle,
  own: {
    hook: { about: aboutHook, read: fromHook },
    transcript: {
      about: aboutLog,
      read: fromLog,
      time: (report) => ownTime(numberIn(fields(report.entry).at), report.t),
    },
  },
})

/** Only its first line tells where it is. */
function aboutLog(report: Report): About {
  const { word, rest } = fields(report.entry)
  const folder = word === 'place' ? path(rest) : undefined
  return { agent: 'fable', session: taleOf(textIn(report.path) ?? ''), folder }
}

function fromLog(report: Report): readonly Happening[] {
  const { word, rest } = fields(report.entry)
  const life = { kind: 'life' as const }
  switch (word) {
    case 'place': {
      const details = given({ cwd: path(rest), transcript: path(report.path) })
      return [life, { kind: 'details', details }]
    }
    case 'asked':
      return [{ kind: 'turn-started', by: 'user' }, life]
    case 'says':
      return [{ kind: 'spoke' }, life]
    // Its one tool.
    case 'leave':
      return [{ kind: 'request-closed', tool: 'quill' }, life]
    case 'ends':
      return [{ kind: 'turn-ended', how: 'done' }, life]
    default:
      return [life]
  }
}
