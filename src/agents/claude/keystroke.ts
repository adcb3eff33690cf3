import type { About, Happening, Report } from '../../core/signal.ts'
import { short, text } from '../read.ts'

export function aboutKeystroke(report: Report): About {
  return { agent: 'claude', session: short(report.session), pane: short(report.pane) }
}

/**
 * SPEC A2, A4. A key says that its user is there, and nothing about the agent: Enter may confirm,
 * submit or only break a line (a seed let it mean working, and took that back).
 */
export function fromKeystroke(report: Report): Happening[] {
  if (report.what === 'look') return [{ kind: 'looked' }]
  return text(report.key) ? [{ kind: 'typed' }] : []
}
