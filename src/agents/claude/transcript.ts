import type { About, Happening, Report } from '../../core/signal.ts'
import { type Fields, fields, given, numberIn, path, shortText, textIn } from '../read.ts'
import { projectOf } from './folder.ts'
import { saidInEntry } from './last-words.ts'
import { endedByNotice } from './tasks.ts'
import { fromAssistant } from './transcript-assistant.ts'
import { cleared, fromUser } from './transcript-user.ts'

export function aboutTranscript(report: Report): About {
  const entry = fields(report.entry)
  return {
    agent: 'claude',
    session: shortText(entry.sessionId) ?? shortText(entry.session_id),
    folder: projectOf(textIn(report.path)),
  }
}

export function fromTranscript(report: Report): Happening[] {
  const entry = fields(report.entry)
  const actor = actorOf(report, entry)
  const happenings = read(entry, actor, report.path)
  if (actor === undefined) happenings.push(...saidInEntry(entry, happenings))
  // The client repeats titles and modes without a time: no sign of life.
  return textIn(entry.timestamp) === undefined ? happenings : [...happenings, { kind: 'life' }]
}

function read(entry: Fields, actor: string | undefined, file: unknown): Happening[] {
  switch (entry.type) {
    case 'user':
      return [
        ...fromUser(entry, actor),
        ...detailsOf(entry, actor === undefined ? file : undefined),
      ]
    case 'assistant':
      return fromAssistant(entry, actor)
    case 'system':
      return actor === undefined ? fromSystem(entry) : []
    case 'queue-operation':
      return fromQueue(entry)
    case 'permission-mode':
      return [{ kind: 'details', details: given({ mode: shortText(entry.permissionMode) }) }]
    case 'custom-title':
      return [{ kind: 'details', details: given({ title: shortText(entry.customTitle) }) }]
    default:
      return []
  }
}

/** A subagent writes a separate file: `…/<session>/subagents/agent-<id>.jsonl`. */
function actorOf(report: Report, entry: Fields): string | undefined {
  const path = textIn(report.path) ?? ''
  if (!path.includes('/subagents/'))
    return entry.isSidechain === true ? shortText(entry.agentId) : undefined
  return shortText(entry.agentId) ?? /agent-([^/]+)\.jsonl$/.exec(path)?.[1]
}

function fromSystem(entry: Fields): Happening[] {
  switch (entry.subtype) {
    case 'turn_duration':
      return [{ kind: 'turn-ended', how: 'over' }]
    case 'compact_boundary': {
      const manual = fields(entry.compactMetadata).trigger === 'manual'
      const closed: Happening = { kind: 'compaction', open: false }
      return manual ? [closed, { kind: 'turn-ended', how: 'compact' }] : [closed]
    }
    case 'api_error':
      return [{ kind: 'retrying', attempt: numberIn(entry.retryAttempt) ?? 1 }]
    // Another hook rejected the prompt: no turn followed, and no hook reports that.
    case 'informational': {
      const { kind } = fields(fields(entry.promptSubmitEnding).ending)
      return kind === 'blocked_by_hook' ? [{ kind: 'turn-interrupted' }] : []
    }
    case 'local_command':
      return textIn(fields(entry.commandRun).command) === 'clear' ? [cleared()] : []
    default:
      // stop_hook_summary too: it follows both a blocked and an accepted Stop.
      return []
  }
}

/** SPEC T5. `dequeue` starts the next turn; `remove` sent the prompt along with a tool's result. */
function fromQueue(entry: Fields): Happening[] {
  if (entry.operation === 'dequeue') return [{ kind: 'turn-started', by: 'queue' }]
  return entry.operation === 'enqueue' ? endedByNotice(textIn(entry.content) ?? '') : []
}

function detailsOf(entry: Fields, file: unknown): Happening[] {
  const details = given({
    cwd: path(entry.cwd),
    branch: shortText(entry.gitBranch),
    transcript: path(file),
  })
  return Object.keys(details).length > 0 ? [{ kind: 'details', details }] : []
}
