import { BadInput } from './bad-input.ts'

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
