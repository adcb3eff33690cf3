import type { WaitingFor } from '../../core/signal.ts'
import { fields, list, numberIn, textIn } from '../read.ts'
import type { RecordedLine, Truth, TruthReader } from '../truth-reader.ts'
import { codexRoleOf } from './role.ts'
import { readCodexScreen } from './screen.ts'

/**
 * What was true of the session in one terminal. The client tells its terminal its state (OSC 7501),
 * which tmux drops: the lab reads it in the raw output, vigil never sees it. The end of the process
 * closes. The screen adds the dialogs of which that word knows nothing. `exec` writes no such word:
 * its process is one turn.
 */
function truthOf(lines: readonly RecordedLine[]): readonly Truth[] {
  return lines.some(isExec) ? execTruth(lines) : terminalTruth(lines)
}

function isExec(line: RecordedLine): boolean {
  return line.source === 'process' && isClient(line) && argvOf(line).includes('exec')
}

function isStateWord({ source, seq }: RecordedLine): boolean {
  return source === 'osc' && textIn(seq)?.startsWith('7501;') === true
}

function execTruth(lines: readonly RecordedLine[]): readonly Truth[] {
  const truths: Truth[] = []
  const running = new Set<number>()
  for (const line of lines) {
    if (line.source !== 'process') continue
    const pid = Number(line.pid)
    if (line.alive === true && isExec(line)) {
      running.add(pid)
      put(truths, { t: line.t, state: 'working' })
    } else if (line.alive === false && running.delete(pid))
      put(truths, { t: line.t, state: 'closed' })
  }
  return truths
}

function terminalTruth(lines: readonly RecordedLine[]): readonly Truth[] {
  const witness = new Terminal(lines.find(({ pane }) => pane !== undefined)?.pane)
  const changes = subagentTimes(lines)
  const answers = new Answers(lines)
  for (const line of lines) {
    while (changes[0] && changes[0].t <= line.t) witness.subagents(changes.shift())
    if (answers.isLast(line)) witness.answered(line.t)
    witness.take(line)
  }
  return witness.truths
}

/** The last answer of the model to a session's own thread ends a turn that has no terminal. */
class Answers {
  readonly #last: RecordedLine | undefined

  constructor(lines: readonly RecordedLine[]) {
    const own = new Set(lines.filter(({ agent }) => agent === '/root').map(({ id }) => id))
    this.#last = lines.findLast((line) => line.source === 'model' && own.has(line.id))
  }

  isLast(line: RecordedLine): boolean {
    return line === this.#last && line.ev === 'end'
  }
}

interface SubagentChange {
  readonly t: number
  readonly by: 1 | -1
}

/** The word is `done` while a subagent works on: its requests to the model show when. */
function subagentTimes(lines: readonly RecordedLine[]): SubagentChange[] {
  const times = new Map<unknown, { from: number; to: number }>()
  const threads = new Map<unknown, unknown>()
  for (const { t, source, ev, id, agent, thread } of lines) {
    if (source !== 'model') continue
    if (ev === 'begin' && typeof agent === 'string' && agent !== '/root') threads.set(id, thread)
    const own = threads.get(id)
    if (own !== undefined) times.set(own, { from: times.get(own)?.from ?? t, to: t })
  }
  return [...times.values()]
    .flatMap(({ from, to }): SubagentChange[] => [
      { t: from, by: 1 },
      { t: to, by: -1 },
    ])
    .sort((a, b) => a.t - b.t)
}

/** What the client sent to the terminal, and what the terminal shows. */
class Terminal {
  readonly truths: Truth[] = []
  readonly #pane: unknown
  readonly #clients = new Set<number>()
  #tty: number | undefined
  #word: { readonly state: string; readonly kind?: string | undefined } | undefined
  #dialog: WaitingFor | undefined
  #submitted = false
  #subagents = 0
  #isServed = false
  #detached = false

  constructor(pane: unknown) {
    this.#pane = pane
  }

  take(line: RecordedLine): void {
    if (line.source === 'process') this.#process(line)
    if (line.source === 'action') this.#action(line)
    if (line.pane !== this.#pane) return
    if (isStateWord(line)) this.#told(line)
    if (line.source === 'screen') this.#shown(line)
  }

  subagents(change: SubagentChange | undefined): void {
    if (!change) return
    this.#subagents += change.by
    this.#now(change.t)
  }

  #process(line: RecordedLine): void {
    const pid = Number(line.pid)
    if (line.alive === false) {
      if (this.#clients.delete(pid)) this.#end(line.t)
      return
    }
    if (!isClient(line) || !line.tty) return
    this.#tty ??= numberIn(line.tty)
    if (line.tty !== this.#tty) return
    this.#clients.add(pid)
    this.#word = undefined
    this.#dialog = undefined
    this.#detached = false
    this.#isServed = !argvOf(line).includes('--no-daemon')
    // Until the first word of a client that follows another nothing is known: see unreportedIn.
    if (this.truths.length === 0) this.#now(line.t)
  }

  /** A turn that runs on in the daemon without a terminal is over. */
  answered(t: number): void {
    if (this.#detached) put(this.truths, { t, state: 'idle' })
  }

  #action({ what, value, t, pane }: RecordedLine): void {
    if (what === 'killpane') this.#end(t)
    if (pane !== undefined && pane !== this.#pane) return
    if (what === 'submit') this.#submitted = true
    if (what === 'launch') this.#submitted = list(value).includes('resume')
  }

  #told({ t, seq }: RecordedLine): void {
    const [, state = '', kind] = /state=(\w+)(?:.*kind=(\w+))?/.exec(textIn(seq) ?? '') ?? []
    // While the first thread is made ready the word flickers.
    if (state === '' || (state === 'working' && !this.#submitted)) return
    if (state === 'clear') this.#end(t)
    else this.#word = { state, kind }
    if (state !== 'clear') this.#now(t)
  }

  #shown({ t, text }: RecordedLine): void {
    const shown = readCodexScreen(textIn(text) ?? '')
    const isOwn = shown.for === 'plan' || shown.for === 'dialog'
    const dialog = shown.shows === 'dialog' && isOwn ? shown.for : undefined
    if (dialog === this.#dialog) return
    this.#dialog = dialog
    if (this.truths.at(-1)?.state !== 'closed' || this.#clients.size > 0) this.#now(t)
  }

  #now(t: number): void {
    const { state, kind } = this.#word ?? { state: '', kind: undefined }
    // A dialog that was opened over a running turn leaves it working.
    if (this.#dialog && state !== 'working' && state !== 'clear')
      put(this.truths, { t, state: 'waiting', for: this.#dialog })
    else if (state === 'blocked')
      put(this.truths, {
        t,
        state: 'waiting',
        for: kind === 'question' ? 'question' : 'permission',
      })
    else if (state === 'working') put(this.truths, { t, state: 'working' })
    else if (state === 'error') put(this.truths, { t, state: 'error' })
    else if (state === 'clear') put(this.truths, { t, state: 'closed' })
    else
      put(this.truths, {
        t,
        state: state === '' ? 'starting' : this.#subagents > 0 ? 'working' : 'idle',
      })
  }

  /** The daemon goes on with a turn whose terminal is gone. */
  #end(t: number): void {
    const wasAtWork = this.truths.at(-1)?.state === 'working' && this.#word?.state === 'working'
    this.#detached ||= this.#isServed && wasAtWork
    this.#word = { state: 'clear' }
    this.#dialog = undefined
    if (!this.#detached) put(this.truths, { t, state: 'closed' })
  }
}

function put(truths: Truth[], truth: Truth): void {
  const last = truths.at(-1)
  if (last?.state !== truth.state || last.for !== truth.for) truths.push(truth)
}

function isClient(line: RecordedLine): boolean {
  return codexRoleOf(argvOf(line)) === 'client'
}

/** Between fork and exec a child of the client looks like the client, but has no terminal. */
function holdsTerminal(line: RecordedLine): boolean {
  return isClient(line) && (Boolean(line.tty) || argvOf(line).includes('exec'))
}

function argvOf({ command }: RecordedLine): readonly string[] {
  return Array.isArray(command) ? command.map(String) : (textIn(command)?.split(' ') ?? [])
}

/** The daemon runs hooks for all; the recorder notes which thread its user talked to, and where. */
function names({ source, payload, pid, session }: RecordedLine) {
  if (source === 'hook') return { pid: undefined, session: fields(payload).session_id }
  return { pid, session: source === 'action' ? session : undefined }
}

/** What the recorder of Codex notes that is a report under another name. */
function reportIn(line: RecordedLine): RecordedLine | undefined {
  const { source, seq, msg } = line
  if (source === 'osc') {
    const title = /^0;(.*)$/s.exec(textIn(seq) ?? '')?.[1]
    return title ? { ...line, source: 'title', title } : undefined
  }
  if (source === 'api')
    return msg === undefined ? undefined : { ...line, source: 'server', message: msg }
  if (source !== 'process') return line
  const argv = argvOf(line)
  if (line.alive === true && !holdsTerminal(line)) return undefined
  const start = line.start === undefined ? undefined : String(line.start)
  return { ...line, command: argv.join(' '), ...(start !== undefined && { start }) }
}

export const witness: TruthReader = { truthOf, names, reportIn }
