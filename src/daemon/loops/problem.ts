/** What is wrong with what was asked of a loop. */
export class LoopProblem extends Error {
  override readonly name = 'LoopProblem'
  readonly status: 400 | 403 | 404 | 409

  constructor(status: 400 | 403 | 404 | 409, message: string) {
    super(message)
    this.status = status
  }
}
