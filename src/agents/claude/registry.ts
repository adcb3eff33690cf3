import type { About, Happening, Report, SelfStatus, WaitingFor } from '../../core/signal.ts'
import { type Fields, fields, given, numberIn, ownTime, path, shortText, textIn } from '../read.ts'
import { folderName } from './folder.ts'

/**
 * `<config>/sessions/<pid>.json`, the client's report of its own state. Before its first status the
 * file may have an id that the client drops again (recording resume), so until then it names a
 * process only.
 */
export function aboutRegistry(report: Report): About {
  const file = fields(report.file)
  return {
    agent: 'claude',
    session: textIn(file.status) ? shortText(file.sessionId) : undefined,
    pid: numberIn(report.pid) ?? numberIn(file.pid),
    start: shortText(file.procStart),
    folder: folderName(textIn(file.cwd)),
  }
}

export function registryTime(report: Report): number {
  // 2.1.150 has no time of the status, only one of the file.
  const { statusUpdatedAt, updatedAt } = fields(report.file)
  return ownTime(statusUpdatedAt ?? updatedAt, report.t)
}

export function fromRegistry(report: Report): Happening[] {
  if (report.file === null) return [{ kind: 'left', how: 'exit' }]
  const file = fields(report.file)
  const said = shortText(file.status)
  if (!said)
    return numberIn(file.pid) === undefined ? [] : [{ kind: 'process', alive: true, ours: true }]
  const word = selfReport(said, shortText(file.waitingFor))
  const details: Happening = { kind: 'details', details: detailsOf(file) }
  // `-p` registers like an interactive session, but has no user who could answer.
  return file.entrypoint === 'sdk-cli' ? [word, { kind: 'unattended' }, details] : [word, details]
}

const STATUS: Readonly<Record<string, SelfStatus>> = {
  busy: 'working',
  waiting: 'waiting',
  idle: 'idle',
  shell: 'background',
}

/** SPEC X5. An unknown status is shown unchanged and decides nothing. */
function selfReport(said: string, waitingFor: string | undefined): Happening {
  const status = Object.hasOwn(STATUS, said) ? (STATUS[said] ?? 'other') : 'other'
  if (status !== 'waiting') return { kind: 'self-report', status, said }
  return { kind: 'self-report', status, said: waitingFor ?? said, for: kindOf(waitingFor ?? '') }
}

/** `permission prompt`, `sandbox request`, `worker request`: all ask for permission. */
function kindOf(waitingFor: string): WaitingFor {
  if (waitingFor.includes('input needed')) return 'question'
  return waitingFor.includes('dialog') ? 'dialog' : 'permission'
}

function detailsOf(file: Fields) {
  return given({
    cwd: path(file.cwd),
    version: shortText(file.version),
    title: titleOf(file),
  })
}

/** The client names a session after its folder, with two digits appended; that is no title. */
function titleOf(file: Fields): string | undefined {
  const name = shortText(file.name)
  if (name === undefined || file.nameSource === 'derived') return undefined
  const folder = textIn(file.cwd)?.split('/').at(-1)
  const derived = file.nameSource === undefined && name.replace(/-[0-9a-f]{2}$/, '') === folder
  return derived ? undefined : name
}
