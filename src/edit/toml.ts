import { broken } from './document.ts'

/** A header or a key with its value: enough of TOML to know where tables are. */
export interface TomlStatement {
  readonly kind: 'table' | 'tables' | 'value'
  /** From the root, so a value's begins with its table's. */
  readonly path: readonly string[]
  /** How much of the path is given by the header above; the whole path of a header. */
  readonly inTable: number
  /** Whole lines, with their ends. */
  readonly from: number
  readonly to: number
  /** As written; empty for a header. */
  readonly value: string
}

/** SPEC I26. The statements of a TOML text, or a refusal that names the line and the column. */
export function parseToml(text: string, name: string): TomlStatement[] {
  const reader = new Reader(text, name)
  const statements: TomlStatement[] = []
  let table: readonly string[] = []
  for (reader.skipBlank(); !reader.isAtEnd(); reader.skipBlank()) {
    const statement = reader.statement(table)
    if (statement.kind !== 'value') table = statement.path
    statements.push(statement)
  }
  return statements
}

const BLANK = /(?:[ \t\r\n]+|#[^\r\n]*)*/y
const SPACE = /[ \t]*/y
const LINE_END = /[ \t]*(?:#[^\r\n]*)?(?:\r\n|\n|$)/y
const BARE = /[\w-]+/y
const BASIC = /"(?:[^"\\\r\n]|\\.)*"/y
const LITERAL = /'[^'\r\n]*'/y
const TEXTS = [
  /"""(?:[^"\\]|\\[\s\S]|"{1,2}(?!"))*"{3,5}/y,
  /'''(?:[^']|'{1,2}(?!'))*'{3,5}/y,
  BASIC,
  LITERAL,
]
/** Of a value, besides texts and brackets. */
const PLAIN = /[^"'#[\]{}\r\n]+/y
const INNER = /[\r\n]+|#[^\r\n]*/y

class Reader {
  readonly #text: string
  readonly #name: string
  #at: number

  constructor(text: string, name: string) {
    this.#text = text
    this.#name = name
    this.#at = text.startsWith('\uFEFF') ? 1 : 0
  }

  isAtEnd(): boolean {
    return this.#at >= this.#text.length
  }

  skipBlank(): void {
    this.#take(BLANK)
  }

  statement(table: readonly string[]): TomlStatement {
    const from = this.#lineStart()
    const isHeader = this.#text[this.#at] === '['
    const isList = isHeader && this.#text[this.#at + 1] === '['
    const close = isList ? ']]' : ']'
    if (isHeader) this.#at += close.length
    const key = this.#key()
    if (isHeader) this.#expect(close)
    else this.#expect('=')
    const value = isHeader ? '' : this.#value()
    if (this.#take(LINE_END) === undefined) throw this.#broken('expected the end of the line')
    const path = isHeader ? key : [...table, ...key]
    const inTable = isHeader ? key.length : table.length
    const kind = isList ? 'tables' : isHeader ? 'table' : 'value'
    return { kind, path, inTable, from, to: this.#at, value }
  }

  #key(): string[] {
    const parts: string[] = []
    for (;;) {
      this.#take(SPACE)
      parts.push(this.#part())
      this.#take(SPACE)
      if (this.#text[this.#at] !== '.') return parts
      this.#at += 1
    }
  }

  #part(): string {
    const bare = this.#take(BARE)
    if (bare) return bare
    const literal = this.#take(LITERAL)
    if (literal) return literal.slice(1, -1)
    const start = this.#at
    const basic = this.#take(BASIC)
    if (basic === undefined) throw this.#broken('expected a key')
    try {
      return JSON.parse(plainEscapes(basic)) as string
    } catch {
      this.#at = start
      throw this.#broken('expected a key, found an unknown escape')
    }
  }

  /** Up to the end of the line, or of the brackets that are open there. */
  #value(): string {
    this.#take(SPACE)
    const start = this.#at
    let open = 0
    while (!this.isAtEnd()) {
      const next = this.#text[this.#at] ?? ''
      if (open === 0 && /[#\r\n]/.test(next)) break
      if (/[[{]/.test(next)) open += 1
      if (/[\]}]/.test(next)) open -= 1
      if (/[[\]{}]/.test(next)) this.#at += 1
      else if (/["']/.test(next)) this.#quoted()
      else if (this.#take(INNER) === undefined) this.#take(PLAIN)
      if (open < 0) throw this.#broken('expected no closing bracket')
    }
    if (open > 0) throw this.#broken('expected a closing bracket')
    const value = this.#text.slice(start, this.#at).trim()
    if (value === '') throw this.#broken('expected a value')
    return value
  }

  #quoted(): void {
    if (TEXTS.every((form) => this.#take(form) === undefined))
      throw this.#broken('expected the end of the text')
  }

  #expect(sign: string): void {
    if (!this.#text.startsWith(sign, this.#at)) throw this.#broken(`expected ${sign}`)
    this.#at += sign.length
  }

  #take(form: RegExp): string | undefined {
    form.lastIndex = this.#at
    const found = form.exec(this.#text)?.[0]
    this.#at += found?.length ?? 0
    return found
  }

  #lineStart(): number {
    const before = this.#text.slice(0, this.#at)
    return before.length - (/[ \t]*$/.exec(before)?.[0].length ?? 0)
  }

  #broken(what: string) {
    return broken(this.#name, this.#text, this.#at, what)
  }
}

/** TOML has some escapes that JSON lacks. */
function plainEscapes(text: string): string {
  return text.replaceAll(/\\(?:U([\da-fA-F]{8})|x([\da-fA-F]{2})|e|.)/g, (whole, long, short) => {
    const code = whole === '\\e' ? 27 : Number.parseInt(long ?? short ?? '', 16)
    return Number.isNaN(code) ? whole : JSON.stringify(String.fromCodePoint(code)).slice(1, -1)
  })
}
