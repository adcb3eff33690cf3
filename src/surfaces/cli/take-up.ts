import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { agentOf } from '../../agents/index.ts'
import { isPlainWord } from '../../core/shell-word.ts'
import type { Session } from '../../protocol/session.ts'
import { plain } from '../../view/session.ts'
import { BadInput } from './bad-input.ts'
import { out } from './output.ts'

/** Resumes a session without a terminal in its folder, in place of this process. */
export async function takeUp({ id, cwd, agent }: Session): Promise<undefined> {
  const { resume, title = agent } = agentOf(agent) ?? {}
  const [program, ...args] = resume?.(id) ?? []
  if (program === undefined)
    throw new BadInput(`${plain(title, 40)}: vigil cannot resume sessions of this agent`, 1)
  // SPEC TU12. A report may give any id, and the client would read this one as an option.
  if (!isPlainWord(id)) throw new BadInput(`${id}: is no id of a session that can be resumed`, 1)
  const command = [program, ...args].join(' ')
  if (cwd === null || !existsSync(cwd))
    throw new BadInput(
      `${cwd ?? 'its folder'} no longer exists; run this in another folder: ${command}`,
      1,
    )
  out.line(command)
  process.exitCode = await inOurPlace(program, args, cwd).catch((error: Error) => {
    throw new BadInput(`${command}: cannot be started (${error.message})`, 127)
  })
}

/**
 * Lends the terminal to a program until it ends; returns its exit code. Signals to the foreground
 * are for that program, as for a shell's commands: Ctrl-C does not end this process.
 */
export async function inOurPlace(
  program: string,
  args: readonly string[],
  cwd = process.cwd(),
): Promise<number> {
  const before = FOR_BOTH.map((signal) => [signal, process.listeners(signal)] as const)
  for (const signal of FOR_BOTH) process.removeAllListeners(signal).on(signal, () => {})
  try {
    const child = spawn(program, args, { cwd, stdio: 'inherit' })
    return await new Promise((resolve, reject) => {
      child.on('exit', (code) => resolve(code ?? 1))
      child.on('error', reject)
    })
  } finally {
    for (const [signal, listeners] of before) {
      process.removeAllListeners(signal)
      for (const listener of listeners) process.on(signal, listener)
    }
  }
}

const FOR_BOTH = ['SIGINT', 'SIGQUIT'] as const
