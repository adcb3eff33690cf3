import type { About, Happening, Report } from '../../core/signal.ts'
import { folderName } from './folder.ts'
import { given, number, path, short, text } from './read.ts'

export function aboutProcess(report: Report): About {
  return {
    agent: 'claude',
    pid: number(report.pid),
    start: short(report.start),
    // A folder invites a session to be found there: only the client itself may extend it.
    folder: isClient(text(report.command)) ? folderName(text(report.cwd)) : undefined,
  }
}

export function fromProcess(report: Report): Happening[] {
  if (number(report.pid) === undefined || typeof report.alive !== 'boolean') return []
  const command = text(report.command)
  // An unnamed process may be the client; one of another name is not.
  const ours = command === undefined || isClient(command)
  const cwd = isClient(command) ? path(report.cwd) : undefined
  return [{ kind: 'process', alive: report.alive, ours, ...given({ cwd }) }]
}

function isClient(command: string | undefined): boolean {
  return command !== undefined && /(^|\/)claude(\s|$)|claude-code\//.test(command)
}

const INTERPRETER = /^(node|bun|deno|sh|bash|dash|zsh)$/
const CLIENT = /(^|\/)claude(\.exe)?$|\/claude\/versions\/[^/]+$|\/claude-code\//

/**
 * Whether a process is the client, by the words it was started with. Only its program counts, or
 * the script that an interpreter runs: a path among its arguments may be called anything.
 */
export function isClientArgv([program = '', ...words]: readonly string[]): boolean {
  if (CLIENT.test(program)) return true
  if (!INTERPRETER.test(program.slice(program.lastIndexOf('/') + 1))) return false
  return CLIENT.test(words.find((word) => !word.startsWith('-')) ?? '')
}
