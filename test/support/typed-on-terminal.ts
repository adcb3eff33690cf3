import { spawn } from 'node:child_process'
import { COMMAND } from '../../src/client/start.ts'

/** What `vigil` writes on a terminal where a person answers its question with this and Enter. */
export function typedOnTerminal(
  args: readonly string[],
  typed: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const command = [process.execPath, COMMAND, ...args].join(' ')
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: { ...env } })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    if (!said.includes('[y/N]') && (said + text).includes('[y/N]')) child.stdin.write(`${typed}\n`)
    said += text
  })
  return new Promise((resolve) => child.once('close', () => resolve(said)))
}
