/**
 * An error that the user can correct: printed as one line, with exit code 2 unless the command sets
 * another.
 */
export class BadInput extends Error {
  override readonly name = 'BadInput'
  readonly exitCode: number
  /** The message, and below it the choices. */
  readonly lines: readonly string[]

  constructor(message: string, exitCode = 2, choices: readonly string[] = []) {
    super([message, ...choices].join('\n'))
    this.exitCode = exitCode
    this.lines = [message, ...choices]
  }
}

/** If the daemon refuses a request about a loop, the user can correct it: the error is one line. */
export async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    // By name: the client's error classes need not be loaded for the comparison.
    const { name, message } = error as Error
    if (name === 'BadRequest') throw new BadInput(message)
    if (name === 'DaemonFailed') throw new BadInput(message, 1)
    throw error
  }
}
