import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Session } from '../../daemon/session.ts'
import { BadInput } from './bad-input.ts'
import { ASKED_TO_END, startInOurPlace } from './pass-signals.ts'

/** Takes a closed session up again, in its folder and in our place. */
export async function takeUp({ id, cwd }: Session): Promise<void> {
  const command = `claude --resume ${id}`
  if (cwd === null || !existsSync(cwd))
    throw new BadInput(`${cwd ?? 'its folder'} is not there any more; elsewhere: ${command}`, 1)
  process.stdout.write(`${command}\n`)
  for (const signal of ASKED_TO_END) process.removeAllListeners(signal)
  const start = () => spawn('claude', ['--resume', id], { cwd, stdio: 'inherit' })
  const child = startInOurPlace(start, ASKED_TO_END)
  const code = await new Promise<number>((resolve, reject) => {
    child.on('exit', (exitCode) => resolve(exitCode ?? 1))
    child.on('error', ({ message }) =>
      reject(new BadInput(`${command}: cannot be started (${message})`, 127)),
    )
  })
  process.exitCode = code
}
