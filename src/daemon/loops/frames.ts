import { randomUUID } from 'node:crypto'
import type { RunFrame } from '../../core/loop/run.ts'
import type { LoopStart } from '../../protocol/loop.ts'
import type { Session } from '../../protocol/session.ts'

export function frameOf(wanted: LoopStart, session: Session, at: number): RunFrame {
  const { mode, max, patience, forMs } = wanted
  const optional = {
    prompt: wanted.prompt,
    promptFile: wanted.promptFile,
    filter: wanted.filter,
    item: wanted.item,
    worktree: wanted.worktree,
    source: wanted.source,
    until: wanted.until,
    deadlineAt: forMs === null ? null : at + forMs,
    budgetUsd: wanted.budgetUsd,
    costAtStartUsd: session.costUsd,
  }
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== null))
  return { id: randomUUID(), mode, iter: 0, max, startedAt: at, patience, ...given }
}

/** SPEC WD4. What it may do, for the log of acts: its commands come before the prompt. */
export function frameWords({ mode, max, until, source, prompt, item }: RunFrame): string {
  const parts = [
    `${mode}, at most ${max}`,
    ...(until === undefined ? [] : [`until: ${until}`]),
    ...(source === undefined ? [] : [`from: ${sourceWords(source)}`]),
    ...(item === undefined ? [] : [`item: ${item.title}`]),
    ...(prompt === undefined ? [] : [`prompt: ${prompt}`]),
  ]
  return parts.join('; ')
}

function sourceWords(source: NonNullable<RunFrame['source']>): string {
  if (source.kind === 'command') return source.command
  return source.kind === 'checklist' ? source.path : `github ${source.filter ?? ''}`.trim()
}
