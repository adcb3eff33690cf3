/** What is wrong with what was asked of a pane. */
export class PaneProblem extends Error {
  override readonly name = 'PaneProblem'
  readonly status: 403 | 404 | 409 | 503

  constructor(status: 403 | 404 | 409 | 503, message: string) {
    super(message)
    this.status = status
  }
}
