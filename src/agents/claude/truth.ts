import type { WaitingFor } from '../../core/signal.ts'
import { fields } from '../read.ts'
import type { RecordedLine, Truth, TruthReader } from '../truth-reader.ts'

/**
 * What the client itself reported of its state: its registry file decides; the death of its process
 * closes; a StopFailure turns the idle after it into an error, until the next prompt or good end.
 */
function truthOf(lines: readonly RecordedLine[]): readonly Truth[] {
  const truthReader = new Hearing()
  for (const line of lines) {
    if (line.source === 'hook') truthReader.hook(line.t, line.payload as Payload | undefined)
    if (line.source === 'registry')
      truthReader.registry(line.t, Number(line.pid), line.file as File | null)
    if (line.source === 'process' && line.alive === false)
      truthReader.death(line.t, Number(line.pid))
  }
  return truthReader.truth
}

interface Payload {
  readonly hook_event_name?: unknown
  readonly tool_name?: unknown
}

interface File {
  readonly status?: unknown
  readonly waitingFor?: unknown
}

class Hearing {
  readonly truth: Truth[] = []
  #failed = false
  #asked: unknown
  #waitingFor = ''
  #status: unknown
  #pid: number | undefined

  hook(t: number, payload: Payload | undefined): void {
    const event = payload?.hook_event_name
    // A prompt queued before the error has no hook after it: the end of its turn shows it.
    if (event === 'UserPromptSubmit' || event === 'Stop') this.#failed = false
    if (event === 'PermissionRequest') this.#asks(payload?.tool_name)
    if (event !== 'StopFailure') return
    this.#failed = true
    if (this.#status === 'idle') this.#put({ t, state: 'error' })
  }

  registry(t: number, pid: number, file: File | null): void {
    if (file === null) {
      if (pid === this.#pid) this.#put({ t, state: 'closed' })
      return
    }
    this.#pid = pid
    this.#status = file.status
    // The request is answered; a dialog without a hook may come next.
    if (file.status !== 'waiting') this.#asked = undefined
    if (file.status === 'busy' || file.status === 'shell') this.#put({ t, state: 'working' })
    if (file.status === 'idle') this.#put({ t, state: this.#failed ? 'error' : 'idle' })
    if (file.status === 'waiting') this.#wait(t, String(file.waitingFor ?? ''))
  }

  #wait(t: number, waitingFor: string): void {
    this.#waitingFor = waitingFor
    this.#put({ t, state: 'waiting', for: this.#kind(waitingFor) })
  }

  death(t: number, pid: number): void {
    if (pid === this.#pid) this.#put({ t, state: 'closed' })
  }

  /** The hook may be written after the client's file. */
  #asks(tool: unknown): void {
    const late = this.#asked === undefined && this.#status === 'waiting'
    this.#asked = tool
    const last = this.truth.at(-1)
    if (!late || last?.state !== 'waiting') return
    this.truth[this.truth.length - 1] = { ...last, for: this.#kind(this.#waitingFor) }
  }

  #kind(waitingFor: string): WaitingFor {
    if (this.#asked === 'ExitPlanMode') return 'plan'
    if (this.#asked === 'AskUserQuestion' || waitingFor.includes('input needed')) return 'question'
    return waitingFor.includes('dialog') ? 'dialog' : 'permission'
  }

  #put(truth: Truth): void {
    const last = this.truth.at(-1)
    if (last?.state !== truth.state || last.for !== truth.for) this.truth.push(truth)
  }
}

/** By the client's own file; without one, by the process that ran its hooks. */
function names({ source, pid, file, env, payload }: RecordedLine) {
  if (source === 'registry') return { pid, session: fields(file).sessionId }
  const { claudePid, ppid } = fields(env)
  return { pid: claudePid ?? ppid, session: fields(payload).session_id }
}

export const truthReader: TruthReader = { truthOf, names }
