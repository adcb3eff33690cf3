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

/** What the daemon refuses about a loop is its asker's to put right: said in one line. */
export async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    // By name: the client's errors need not be loaded to be compared with.
    const { name, message } = error as Error
    if (name === 'BadRequest') throw new BadInput(message)
    if (name === 'DaemonFailed') throw new BadInput(message, 1)
    throw error
  }
}
