import type { About, Happening, Report } from '../../core/signal.ts'
import { given, number, path, short, text } from '../read.ts'
import { folderName } from './folder.ts'

export function aboutProcess(report: Report): About {
  return {
    agent: 'claude',
    pid: number(report.pid),
    start: short(report.start),
    // A folder invites a session to be found there: only the client itself may extend it.
    folder: isClient(text(report.command)) ? folderName(text(report.cwd)) : undefined,
  }
}

export function fromProcess(report: Report): Happening[] {
  if (number(report.pid) === undefined || typeof report.alive !== 'boolean') return []
  const command = text(report.command)
  // An unnamed process may be the client; one of another name is not.
  const ours = command === undefined || isClient(command)
  const cwd = isClient(command) ? path(report.cwd) : undefined
  return [{ kind: 'process', alive: report.alive, ours, ...given({ cwd }) }]
}

function isClient(command: string | undefined): boolean {
  return command !== undefined && /(^|\/)claude(\s|$)|claude-code\//.test(command)
}
