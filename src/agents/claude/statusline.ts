import type { About, Happening, Report } from '../../core/signal.ts'
import type { StatusFigures } from '../agent.ts'
import { fields, given, numberIn, path, shortText, textIn } from '../read.ts'
import { projectOf } from './folder.ts'

export function aboutStatusline(report: Report): About {
  const payload = fields(report.payload)
  return {
    agent: 'claude',
    session: shortText(payload.session_id),
    folder: projectOf(textIn(payload.transcript_path)),
  }
}

/** SPEC X6. The status line is a sign of life with figures; none of its fields is a state. */
export function fromStatusline(report: Report): Happening[] {
  const payload = fields(report.payload)
  if (!textIn(payload.session_id)) return []
  const details = given({
    cwd: path(payload.cwd),
    transcript: path(payload.transcript_path),
    version: shortText(payload.version),
    model: shortText(fields(payload.model).display_name),
    contextLeftPercent: numberIn(fields(payload.context_window).remaining_percentage),
    costUsd: numberIn(fields(payload.cost).total_cost_usd),
  })
  return [{ kind: 'life' }, { kind: 'details', details }]
}

export function figuresIn(payload: unknown): StatusFigures {
  const { model, context_window: context } = fields(payload)
  const { display_name: name, id } = fields(model)
  const { remaining_percentage: left, used_percentage: used } = fields(context)
  const unused = numberIn(left)
  return {
    model: textIn(name) ?? textIn(id),
    contextUsedPercent: numberIn(used) ?? (unused === undefined ? undefined : 100 - unused),
  }
}
