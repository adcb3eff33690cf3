import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readScreen } from '../../src/agents/claude/screen.ts'
import type { Session } from '../../src/protocol/session.ts'
import { until } from '../support/daemon.ts'
import { aSession } from '../support/sessions.ts'
import type { PrivateTmux } from '../tmux/support.ts'

const program = fileURLToPath(new URL('../loop/fake-client.js', import.meta.url))

let count = 0

export interface IdleClient {
  readonly session: Session
  readonly pane: string
  /** What was sent to it. */
  readonly sent: () => string[]
  readonly screen: () => string
  /** Its input line is empty: what was sent stands there until it is drawn anew. */
  readonly takesInput: () => boolean
}

/** A pane with something in it that draws an input line as the client does. */
export async function idleClient(
  tmux: PrivateTmux,
  begun = '',
  then: 'asks' | '' = '',
): Promise<IdleClient> {
  count += 1
  const file = join(tmux.tmpdir, `sent-${count}`)
  const command = ['env', `PATH=${process.env.PATH}`, process.execPath, program, file, begun, then]
  const format = '#{pane_id} #{pane_pid}'
  const size = ['-x', '80', '-y', '24']
  const made = tmux.run(['new-session', '-d', ...size, '-P', '-F', format, ...command])
  const [pane = '', pid] = made.split(' ')
  const screen = () => tmux.run(['capture-pane', '-p', '-t', pane])
  await until('it is drawn', () => screen().includes('❯'))
  const where = { tmuxPane: pane, tmuxSocket: tmux.socket(), pid: Number(pid) }
  const session = aSession({ id: `own-${count}`, state: 'idle', ...where })
  const takesInput = () => readScreen(screen()).input === ''
  return { session, pane, screen, takesInput, sent: () => linesIn(file) }
}

function linesIn(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    return lines.map((line) => JSON.parse(line))
  } catch {
    return []
  }
}
