/** What is wrong with an answer. */
export class RequestProblem extends Error {
  override readonly name = 'RequestProblem'
  readonly status: 400 | 404 | 409
  readonly field: string | undefined

  constructor(status: 400 | 404 | 409, message: string, field?: string) {
    super(message)
    this.status = status
    this.field = field
  }
}
