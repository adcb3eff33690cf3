import type { Report } from '../../core/signal.ts'
import {
  isDataName,
  isDeciding,
  isFieldName,
  isOwn,
  noticeIn,
  openingOf,
  tellingOf,
} from './redact-fields.ts'
import { Hidden } from './redact-hidden.ts'
import { Paths } from './redact-paths.ts'
import { redactScreen } from './redact-screen.ts'
import { isId, isOwnWord } from './redact-words.ts'

export interface Redaction {
  readonly paths: boolean
  readonly screens: boolean
}

type Fields = Readonly<Record<string, unknown>>

/**
 * SPEC CM2, OS5. The same reports without prompts, answers, what tools were given and gave, titles
 * and branches; with other names for folders and masked screens. What is not known to be the
 * client's own is hidden, so that a field of tomorrow does not tell today's secrets.
 */
export function redactAll(reports: readonly Report[], redaction: Redaction): Redacted {
  const redactor = new Redactor(redaction)
  // Ids and folders must all be known before the first is used.
  for (const report of reports) redactor.report(report)
  return {
    reports: reports.map((report) => redactor.report(report)),
    id: (value) => redactor.id(value),
  }
}

export interface Redacted {
  readonly reports: readonly Report[]
  /** An id as it stands in them. */
  readonly id: (value: string) => string
}

class Redactor {
  readonly #redaction: Redaction
  readonly #hidden = new Hidden()
  readonly #paths = new Paths(this.#hidden)

  constructor(redaction: Redaction) {
    this.#redaction = redaction
  }

  report(report: Report): Report {
    const { text, command, key, ...rest } = report
    const kept = this.#own(rest) as Report
    if (typeof text === 'string')
      return { ...kept, text: this.#redaction.screens ? redactScreen(text, this.#hidden) : text }
    if (typeof command === 'string') return { ...kept, command: this.#command(command) }
    return typeof key === 'string' ? { ...kept, key: key === '' ? '' : 'x' } : kept
  }

  /** An object of the client's own making. */
  #own(object: Fields): Fields {
    return mapped(object, (name, value) => {
      const known = isFieldName(name) ? name : this.#hidden.word(name)
      if (typeof value === 'string') return [known, this.#string(name, value, object)]
      if (typeof value !== 'object' || value === null) return [known, value]
      return [known, isOwn(name) ? this.#ownOrList(value) : this.#data(value, 1)]
    })
  }

  #ownOrList(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((entry) => this.#ownOrList(entry))
    if (typeof value === 'object' && value !== null) return this.#own(value as Fields)
    return typeof value === 'string' ? this.#hidden.text(value) : value
  }

  /** What somebody gave or got: only its shape is kept. */
  #data(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return isDeciding(value) ? value : this.#hidden.text(value)
    if (typeof value === 'number') return this.#hidden.number(value)
    if (Array.isArray(value)) return value.map((entry) => this.#data(entry, depth))
    if (typeof value !== 'object' || value === null) return value
    return mapped(value as Fields, (name, inner) => [
      isDataName(name, depth) ? name : this.#hidden.word(name),
      this.#data(inner, depth + 1),
    ])
  }

  #string(name: string, value: string, owner: Fields): string {
    if (value === '' || isDeciding(value)) return value
    if (isCause(name, owner) && isOwnWord(name, value)) return value
    switch (tellingOf(isToolName(name, owner) ? 'tool_name' : name)) {
      case 'word':
        return isOwnWord(name, value) ? value : this.#hidden.text(value)
      case 'tool':
        return this.#tool(value)
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
    if (!isId(value)) return this.#hidden.standIn(value)
    this.#hidden.tell(value)
    return value
  }

  /** `mcp__server__tool` stays one of a server; the client's own tools are known by their names. */
  #tool(value: string): string {
    if (isOwnWord('tool_name', value)) return value
    const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(value) ?? []
    if (server === undefined || tool === undefined) return this.#hidden.word(value)
    return `mcp__${this.#hidden.word(server)}__${this.#hidden.word(tool)}`
  }

  #path(value: string): string {
    return this.#redaction.paths ? this.#paths.path(value) : value
  }

  #said(text: string): string {
    const notice = noticeIn(text)
    if (!notice) {
      const [opening, rest] = openingOf(text)
      return opening + this.#hidden.text(rest)
    }
    const task =
      notice.task === undefined ? '' : `\n<task-id>${this.#hidden.text(notice.task)}</task-id>`
    return `<task-notification>${task}\n${this.#hidden.text(text)}`
  }

  /** Arguments are the user's; whether it is the client is not. */
  #command(command: string): string {
    if (/(^|\/)claude(\s|$)/.test(command)) return 'claude'
    return command.includes('claude-code/') ? 'claude-code/cli.js' : this.#hidden.text(command)
  }
}

/** In a transcript the call of a tool is a block that has its name. */
function isToolName(name: string, { type }: Fields): boolean {
  return name === 'name' && (type === 'tool_use' || type === 'server_tool_use')
}

/** Why a turn died is part of the verdict; why a tool failed is what the tool printed. */
function isCause(name: string, owner: Fields): boolean {
  if (name !== 'error') return false
  return owner.hook_event_name === 'StopFailure' || owner.isApiErrorMessage === true
}

function mapped(
  object: Fields,
  of: (name: string, value: unknown) => readonly [string, unknown],
): Fields {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => of(name, value)))
}
