/** A message from a control-mode client: the output of a command, or a notice. */
export type ControlMessage =
  | { readonly kind: 'block'; readonly lines: readonly string[]; readonly failed: boolean }
  | { readonly kind: 'notice'; readonly name: string; readonly rest: string }

/** Marks the blocks of this client's commands; other clients' hooks and keys give blocks too. */
const OURS = '1'

/** No answer has a longer line. */
const LINE_MAX_CHARS = 4_000_000

/** Parses the control-mode protocol; a block ends only with the same mark that it began with. */
export class ControlReader {
  #rest = ''
  #block: { readonly mark: string; readonly lines: string[] } | undefined

  read(chunk: string): ControlMessage[] {
    const lines = (this.#rest + chunk).split('\n')
    this.#rest = (lines.pop() ?? '').slice(0, LINE_MAX_CHARS)
    return lines.flatMap((line) => this.#line(line) ?? [])
  }

  #line(line: string): ControlMessage | undefined {
    const block = this.#block
    if (!block) return this.#outside(line)
    const failed = line === `%error ${block.mark}`
    if (!failed && line !== `%end ${block.mark}`) {
      block.lines.push(line)
      return undefined
    }
    this.#block = undefined
    const isOurs = block.mark.endsWith(` ${OURS}`)
    return isOurs ? { kind: 'block', lines: block.lines, failed } : undefined
  }

  #outside(line: string): ControlMessage | undefined {
    if (!line.startsWith('%')) return undefined
    const [, name = '', rest = ''] = /^%(\S*) ?(.*)$/s.exec(line) ?? []
    if (name !== 'begin') return { kind: 'notice', name, rest }
    this.#block = { mark: rest, lines: [] }
    return undefined
  }
}
