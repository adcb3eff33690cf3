import type { About, Happening, Report } from '../../core/signal.ts'
import { type Fields, fields, given, list, numberIn, path, shortText, textIn } from '../read.ts'

/**
 * What the shared daemon of Codex tells about its threads. A report holds one message of it
 * (`message`), or the loss of the connection (`lost`, with the threads that it told of).
 */

export function aboutServer(report: Report): About {
  const { params, thread } = messageOf(report)
  return {
    agent: 'codex',
    session: shortText(thread.id) ?? shortText(params.threadId) ?? shortText(report.thread),
    folder: path(thread.cwd),
  }
}

/** The server notes when it sent a message; its clock is the machine's. */
export function serverTime(report: Report): number {
  const sent = numberIn(fields(report.message).emittedAtMs)
  return sent === undefined ? report.t : Math.min(sent, report.t)
}

export function fromServer(report: Report): Happening[] {
  if (report.lost === true) return [{ kind: 'self-report', status: 'other', said: 'no connection' }]
  const { method, params, thread } = messageOf(report)
  switch (method) {
    case 'thread/started':
    case 'thread/read':
      return fromThread(thread, method)
    case 'thread/status/changed':
      return fromStatus(fields(params.status))
    case 'thread/name/updated':
      // SPEC CX62. Without a name where the user took it back.
      return [{ kind: 'details', details: { title: shortText(params.threadName) ?? '' } }]
    case 'thread/closed':
      return [{ kind: 'left', how: 'unloaded' }]
    default:
      return []
  }
}

function messageOf(report: Report) {
  const message = fields(report.message)
  const params = fields(message.params)
  return { method: textIn(message.method), params, thread: fields(params.thread) }
}

function fromThread(thread: Fields, method: string): Happening[] {
  if (thread.ephemeral === true) return [{ kind: 'is-hidden' }]
  const parent = shortText(thread.parentThreadId)
  if (parent !== undefined) {
    const of = shortText(thread.sessionId) ?? parent
    return [{ kind: 'is-subagent', of }, ...fromStatus(fields(thread.status))]
  }
  const details = given({
    cwd: path(thread.cwd),
    transcript: path(thread.path),
    model: shortText(thread.model),
    version: shortText(thread.cliVersion),
    title: shortText(thread.name),
    branch: shortText(fields(thread.gitInfo).branch),
  })
  const opened = method === 'thread/started' && isStarted(thread)
  return [
    ...(opened ? [{ kind: 'opened' as const, how: 'startup', continues: true as const }] : []),
    ...fromStatus(fields(thread.status)),
    { kind: 'life' },
    { kind: 'details', details },
  ]
}

/** A thread that is loaded again is reported in the same way as a thread that begins. */
function isStarted(thread: Fields): boolean {
  return list(thread.turns).length === 0 && textIn(thread.preview) === undefined
}

/**
 * The word covers a thread's turn and its requests. It is `idle` under the question about a plan,
 * under dialogs of the terminal client, and while commands or subagents run in the background.
 */
function fromStatus(status: Fields): Happening[] {
  switch (status.type) {
    case 'idle':
      return [word('idle', 'idle')]
    case 'systemError':
      return [word('idle', 'in error'), { kind: 'turn-failed', cause: 'unknown' }]
    case 'active':
      return [activeWord(list(status.activeFlags))]
    default:
      return []
  }
}

function activeWord(flags: readonly unknown[]): Happening {
  if (flags.includes('waitingOnApproval'))
    return { ...word('waiting', 'waiting on approval'), for: 'permission' }
  if (flags.includes('waitingOnUserInput'))
    return { ...word('waiting', 'waiting on user input'), for: 'question' }
  return word('working', 'active')
}

function word(status: 'idle' | 'working' | 'waiting', said: string) {
  return { kind: 'self-report' as const, status, said, turnOnly: true as const }
}
