import { holdWords, splitHold } from '../../core/loop/need.ts'
import type { Report } from '../../core/signal.ts'
import { Hidden } from './redact-hidden.ts'
import { Paths } from './redact-paths.ts'
import { type Rules, rulesOf } from './redact-rules.ts'
import { redactScreen } from './redact-screen.ts'

export interface Redaction {
  readonly paths: boolean
  readonly screens: boolean
}

type Fields = Readonly<Record<string, unknown>>

/**
 * SPEC CM2, OS5. The same reports without prompts, answers, tool input and output, titles and
 * branches, with other names for folders and with masked screens. What is not known to be the
 * agent's own is hidden.
 */
export function redactAll(reports: readonly Report[], redaction: Redaction): Redacted {
  const hidden = new Hidden()
  const redactors = new Map<unknown, Redactor>()
  const redactorOf = ({ agent }: Report) => {
    const redactor = redactors.get(agent) ?? new Redactor(redaction, hidden, rulesOf(agent))
    redactors.set(agent, redactor)
    return redactor
  }
  // All ids and folders must be known before the first is used.
  for (const report of reports) redactorOf(report).report(report)
  return {
    reports: reports.map((report) => redactorOf(report).report(report)),
    id: (value) => redactorOf(reports[0] ?? { t: 0, source: 'hook' }).id(value),
  }
}

export interface Redacted {
  readonly reports: readonly Report[]
  /** The redacted form of an id. */
  readonly id: (value: string) => string
}

/** Redacts the reports of one agent. */
class Redactor {
  readonly #redaction: Redaction
  readonly #hidden: Hidden
  readonly #rules: Rules
  readonly #paths: Paths

  constructor(redaction: Redaction, hidden: Hidden, rules: Rules) {
    this.#redaction = redaction
    this.#hidden = hidden
    this.#rules = rules
    this.#paths = new Paths(hidden, rules)
  }

  report(report: Report): Report {
    const { text, command, key, ...rest } = report
    const kept = this.#own(rest) as Report
    if (typeof text === 'string') return { ...kept, text: this.#screen(text) }
    if (typeof command === 'string') return { ...kept, command: this.#command(command) }
    return typeof key === 'string' ? { ...kept, key: key === '' ? '' : 'x' } : kept
  }

  #screen(text: string): string {
    return this.#redaction.screens ? redactScreen(text, this.#hidden, this.#rules) : text
  }

  /** An object that the agent made. */
  #own(object: Fields): Fields {
    return mapped(object, (name, value) => {
      const known = isFieldName(name) ? name : this.#hidden.word(name)
      if (typeof value === 'string') return [known, this.#string(name, value, object)]
      if (typeof value !== 'object' || value === null) return [known, value]
      return [known, this.#rules.isOwn(name) ? this.#ownOrList(value) : this.#data(value, 1)]
    })
  }

  #ownOrList(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((entry) => this.#ownOrList(entry))
    if (typeof value === 'object' && value !== null) return this.#own(value as Fields)
    return typeof value === 'string' ? this.#hidden.text(value) : value
  }

  /** Data of the user or of a tool: only its shape is kept. */
  #data(value: unknown, depth: number): unknown {
    if (typeof value === 'string')
      return this.#rules.isDeciding(value) ? value : this.#hidden.text(value)
    if (typeof value === 'number') return this.#hidden.number(value)
    if (Array.isArray(value)) return value.map((entry) => this.#data(entry, depth))
    if (typeof value !== 'object' || value === null) return value
    return mapped(value as Fields, (name, inner) => [
      this.#rules.isDataName(name, depth) ? name : this.#hidden.word(name),
      this.#data(inner, depth + 1),
    ])
  }

  #string(name: string, value: string, owner: Fields): string {
    if (value === '' || this.#rules.isDeciding(value)) return value
    if (name === 'hold') return this.#hold(value)
    const field = this.#rules.own.fieldOf?.(name, owner) ?? name
    switch (this.#rules.tellingOf(field)) {
      case 'word':
        return this.#rules.isOwnWord(field, value) ? value : this.#hidden.text(value)
      case 'tool':
        return this.#tool(field, value)
      case 'server':
        return this.#hidden.word(value)
      case 'id':
        return this.id(value)
      case 'folder':
        this.#paths.know(value)
        return this.#path(value)
      case 'path':
        return this.#path(value)
      case 'tmux':
        return this.#paths.tmux(value, this.#redaction.paths)
      case 'tty':
        return /^\/dev\/(?:pts\/\d{1,6}|ttys?\d{1,6})$/.test(value)
          ? value
          : this.#hidden.text(value)
      case 'said':
        return this.#said(value)
      default:
        return this.#hidden.text(value)
    }
  }

  id(value: string): string {
    if (!this.#rules.isId(value)) return this.#hidden.standIn(value)
    this.#hidden.tell(value)
    return value
  }

  /** The kind of a loop's hold decides whether its session needs its user. */
  #hold(value: string): string {
    const { kind, why } = splitHold(value)
    return holdWords({ kind, why: this.#hidden.text(why) })
  }

  /** The agent's own tools keep their names. */
  #tool(field: string, value: string): string {
    if (this.#rules.isOwnWord(field, value)) return value
    const pieces = this.#rules.own.toolPieces?.(value) ?? [{ name: value }]
    return pieces.map((piece) => this.#paths.piece(piece)).join('')
  }

  #path(value: string): string {
    return this.#redaction.paths ? this.#paths.path(value) : value
  }

  #said(text: string): string {
    const pieces = this.#rules.own.textPieces?.(text) ?? [{ hide: text }]
    return pieces.map((piece) => this.#paths.piece(piece)).join('')
  }

  /** Hides the arguments, which are the user's, and keeps whether the program is the agent. */
  #command(command: string): string {
    return this.#rules.own.command?.(command) ?? this.#hidden.text(command)
  }
}

/** A field of an object that an agent made. */
function isFieldName(name: string): boolean {
  return /^[A-Za-z_][\w-]{0,60}$/.test(name)
}

function mapped(
  object: Fields,
  of: (name: string, value: unknown) => readonly [string, unknown],
): Fields {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => of(name, value)))
}
