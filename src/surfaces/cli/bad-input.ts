/** What its user can put right: said in one line, exit code 2 unless the command says otherwise. */
export class BadInput extends Error {
  override readonly name = 'BadInput'
  readonly exitCode: number

  constructor(message: string, exitCode = 2) {
    super(message)
    this.exitCode = exitCode
  }
}
