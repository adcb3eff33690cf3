/** What its user can put right: said in one line, exit code 2 unless the command says otherwise. */
export class BadInput extends Error {
  override readonly name = 'BadInput'
  readonly exitCode: number
  /** What is said, and below it what there is to choose from. */
  readonly lines: readonly string[]

  constructor(message: string, exitCode = 2, choices: readonly string[] = []) {
    super([message, ...choices].join('\n'))
    this.exitCode = exitCode
    this.lines = [message, ...choices]
  }
}
