import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { readScreen } from '../../agents/claude/screen.ts'
import { ttysOf } from '../../sources/tty-of.ts'
import type { Session } from '../session.ts'

/** tmux answers in milliseconds; one that does not is as good as none. */
const TMUX_MAX_MS = 2_000

/** The client draws what was pasted within some frames. Enter before that would be part of it. */
const DRAWN_WITHIN_MS = 3_000
const LOOK_MS = 60

/**
 * SPEC LP72. Types a prompt into the pane of a session that stands idle at an empty input line, and
 * sends it. Says why it could not: nothing is typed over what its user is writing.
 */
export async function typeInto(session: Session, text: string): Promise<string | undefined> {
  const trouble = await whyNot(session)
  if (trouble !== undefined) return trouble
  const { tmux, pane } = doorOf(session)
  const buffer = `vigil-${session.pid}`
  return orWhy(async () => {
    await tmux(['load-buffer', '-b', buffer, '-'], text)
    await tmux(['paste-buffer', '-p', '-d', '-b', buffer, '-t', pane])
    const screen = () => tmux(['capture-pane', '-p', '-t', pane])
    return sent(screen, () => tmux(['send-keys', '-t', pane, 'Enter']))
  })
}

/** Why nothing can be typed into its pane at this moment. */
export function whyNot(session: Session): Promise<string | undefined> {
  const { tmux, pane } = doorOf(session)
  const { pid } = session
  return orWhy(async () => {
    if (pane === '') return 'it does not run in tmux'
    const format = '#{pane_dead} #{pane_in_mode} #{pane_tty}'
    const [dead, mode, tty] = (await tmux(['display-message', '-p', '-t', pane, format])).split(' ')
    if (dead !== '0') return 'its pane is gone'
    if (mode !== '0') return 'its pane is being scrolled'
    if (pid === null || !(await sits(pid, tty ?? ''))) return 'its pane holds another program'
    const { shows, input } = readScreen(await tmux(['capture-pane', '-p', '-t', pane]))
    if (shows !== 'prompt' && shows !== 'text') return 'its screen shows no input line'
    return input === '' ? undefined : 'something is being typed into it'
  })
}

/** A daemon may have been started where no language is set: tmux is told that it is UTF-8. */
function doorOf({ tmuxPane, tmuxSocket }: Session) {
  const tmux = (args: readonly string[], input?: string) =>
    run('tmux', ['-u', '-S', tmuxSocket ?? '', ...args], input)
  return { tmux, pane: tmuxSocket === null ? '' : (tmuxPane ?? '') }
}

async function orWhy(act: () => Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await act()
  } catch (error) {
    return `tmux: ${(error as Error).message.split('\n')[0]}`
  }
}

/** Enter once the text stands in the input line, and once more if it stays there. */
async function sent(
  screen: () => Promise<string>,
  enter: () => Promise<string>,
): Promise<string | undefined> {
  const until = async (isSo: (input: string | undefined) => boolean) => {
    for (const giveUpAt = performance.now() + DRAWN_WITHIN_MS; performance.now() < giveUpAt; ) {
      if (isSo(readScreen(await screen()).input)) return true
      await sleep(LOOK_MS)
    }
    return false
  }
  if (!(await until((input) => input !== ''))) return 'what was typed did not appear'
  for (let tries = 0; tries < 2; tries++) {
    await sleep(LOOK_MS)
    await enter()
    if (await until((input) => input === '' || input === undefined)) return undefined
  }
  return 'what was typed was not taken'
}

/** Whether the process is at this terminal: a pane's id outlives what ran in it. */
async function sits(pid: number, tty: string): Promise<boolean> {
  return (await ttysOf([pid])).get(pid) === tty.trim()
}

function run(program: string, args: readonly string[], input?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { timeout: TMUX_MAX_MS }, (error, stdout) =>
      error ? reject(error) : resolve(stdout.trimEnd()),
    )
    child.stdin?.on('error', () => {})
    child.stdin?.end(input ?? '')
  })
}
