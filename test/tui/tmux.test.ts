import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { COMMAND } from '../../src/client/start.ts'
import { DaemonHome, type Running, turn, until } from '../support/daemon.ts'
import { describeUnless, NO_TMUX } from '../support/needs.ts'
import { PrivateTmux } from '../tmux/support.ts'

let home: DaemonHome
let daemon: Running
let tmux: PrivateTmux

beforeEach(async () => {
  home = new DaemonHome()
  daemon = await home.start()
  tmux = new PrivateTmux()
  for (const name of ['engine', 'website']) home.write(turn(name, name))
  await home.taken()
})

afterEach(async () => {
  await tmux.end()
  await home.end()
})

/** A shell in a pane of its own, which can start the view. */
async function shell(columns: number, rows: number, first = ':'): Promise<void> {
  const env = Object.entries(home.env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
  const size = ['-x', String(columns), '-y', String(rows)]
  tmux.run(['new-session', '-d', '-s', 'view', ...size, ...env, 'sh'])
  type(`${first}; PATH='${home.env.PATH}'; PS1='> '; stty -a > ${home.path}/before; clear`)
  await shows(/^> *$/m)
  const then = `code=$?; stty -a > ${home.path}/after; echo left $code`
  type(`echo before; '${process.execPath}' '${COMMAND}'; ${then}`)
}

function type(line: string): void {
  tmux.run(['send-keys', '-t', 'view', '-l', line])
  tmux.run(['send-keys', '-t', 'view', 'Enter'])
}

const press = (...keys: string[]) => tmux.run(['send-keys', '-t', 'view', ...keys])
const seen = () => tmux.run(['capture-pane', '-p', '-t', 'view'])
const PATIENCE_MS = 20_000
/** Other clients of this machine may be shown, too. */
const WORKING = /engine +working/

async function shows(text: string | RegExp): Promise<void> {
  const isThere = () => (typeof text === 'string' ? seen().includes(text) : text.test(seen()))
  await until(`the pane shows ${text}`, isThere, PATIENCE_MS).catch((error: Error) => {
    throw new Error(`${error.message}:\n${seen()}`)
  })
}

/** What is typed before the view has stopped would be read by it. */
const isTheShells = () => tmux.ask('view', '#{alternate_on} #{pane_current_command}') === '0 sh'

const LINES = ['one', 'two', 'three', 'four', 'five', 'six']

/** Prints its place, then each line that it reads. */
const CLIENT = `#!/bin/sh
echo "$1 $2 in $PWD"
for i in ${LINES.join(' ')}; do read line; echo "was told $line"; done
exit 3
`

function pidOfView(): number {
  const tty = tmux.ask('view', '#{pane_tty}').replace('/dev/', '')
  const all = execFileSync('ps', ['-t', tty, '-o', 'pid=,args='], { encoding: 'utf8' })
  return Number.parseInt(all.split('\n').find((line) => line.includes(COMMAND)) ?? '', 10)
}

describeUnless(NO_TMUX)('in a real tmux', () => {
  it('[TU20] [TU21] [TU22] the view lives, survives its daemon, and leaves no trace', async () => {
    await shell(80, 24)
    await shows(WORKING)
    await shows(/^▌1 ►/m)
    press('j')
    await shows(/^▌2 ►/m)
    tmux.run(['resize-window', '-t', 'view', '-x', '160', '-y', '40'])
    await shows('│')
    await daemon.kill()
    await shows(/lost connection to the daemon \d+ s ago, reconnecting/)
    home.write(turn('engine', 'over', 'StopFailure'))
    daemon = await home.start()
    await shows(/engine +error/)
    await shows(/^(?![\s\S]*lost connection to the daemon)/)
    press('q')
    await shows('left 0')
    expect(seen()).toMatch(/^before$/m)
    expect(seen()).not.toContain('│')
    const modes = ['cursor_flag', 'wrap_flag', 'alternate_on'].map((name) => `#{${name}}`).join(' ')
    expect(tmux.ask('view', modes)).toBe('1 1 0')
    const [before, after] = ['before', 'after'].map((name) =>
      execFileSync('sed', ['s/rows.*;//', `${home.path}/${name}`], { encoding: 'utf8' }),
    )
    expect(after).toBe(before)
  })

  it('[TU21] a signal leaves the terminal as it was, too', async () => {
    await shell(80, 24)
    await shows(WORKING)
    process.kill(pidOfView(), 'SIGTERM')
    await shows('left 143')
    expect(tmux.ask('view', '#{alternate_on}')).toBe('0')
  })

  it('[TU21] Ctrl-Z gives the terminal to the shell, fg brings the view back', async () => {
    await shell(80, 24)
    await shows(WORKING)
    press('C-z')
    await until('it is the shell’s', isTheShells)
    type('echo $((6 * 7)) between')
    await shows('42 between')
    type('fg')
    await until('it is the view’s again', () => tmux.ask('view', '#{alternate_on}') === '1')
    await shows(WORKING)
    press('q')
    await until('it has left', isTheShells)
    type('echo code $?')
    await shows('code 0')
  })

  it('[TU12] outside of tmux Enter attaches, and detaching leads back to the view', async () => {
    const elsewhere = tmux.socket('elsewhere')
    tmux.session('theirs', 1, elsewhere)
    const pane = tmux.ask('theirs', '#{pane_id}', elsewhere)
    const placed = { tmuxPane: pane, tmux: `${elsewhere},1,0` }
    home.write(turn('website', 'placed', 'PostToolUse'), placed)
    await home.taken()
    await shell(80, 24, 'unset TMUX TMUX_PANE')
    await shows(WORKING)
    press('f')
    press('-l', 'website')
    press('Enter')
    await shows(/filter website {2}1 of/)
    press('Enter')
    await until('it is attached', () => tmux.clients(elsewhere) === 1)
    await shows(/\[theirs\]/)
    // Keys are the other tmux's now: its prefix and `d` detach.
    press('C-b', 'd')
    await until('it has left', () => tmux.clients(elsewhere) === 0)
    await shows(/filter website {2}1 of/)
    press('q')
    await shows('left 0')
  })

  it('[TU12] Enter shows the pane of an open session', async () => {
    await shell(80, 24)
    tmux.run(['new-window', '-d', '-n', 'agent', 'sleep 1000'])
    const pane = tmux.ask('agent', '#{pane_id}')
    home.write(turn('website', 'placed', 'PostToolUse'), {
      tmuxPane: pane,
      tmux: `${tmux.socket()},1,0`,
    })
    await shows(WORKING)
    press('f')
    press('-l', 'website')
    press('Enter')
    await shows(/filter website {2}1 of/)
    await until('its window is in sight', () => {
      press('Enter')
      return tmux.ask('view:', '#{window_name}') === 'agent'
    })
  })

  it('[TU12] Enter takes a closed session up in its folder, and gives it all keys', async () => {
    const folder = join(home.path, 'work')
    mkdirSync(folder)
    const claude = join(home.path, 'claude')
    writeFileSync(claude, CLIENT)
    chmodSync(claude, 0o755)
    const ended = { session_id: 'own-ended', hook_event_name: 'SessionEnd', cwd: folder }
    home.write({ ...ended, reason: 'prompt_input_exit' })
    await home.taken()
    home.env.PATH = `${home.path}:${home.env.PATH}`
    await shell(120, 24)
    // With closed sessions of other clients it is counted with them.
    await shows(/work +closed|\d+ closed +c lists them/)
    press('f')
    press('-l', 'own-ended')
    press('Enter')
    await shows(/filter own-ended {2}1 of/)
    press('Enter')
    await shows('claude --resume own-ended')
    await shows(`--resume own-ended in ${folder}`)
    // If another program read keys as well, it would get some of these.
    for (const line of LINES) {
      type(line)
      await shows(`was told ${line}`)
    }
    await shows('left 3')
  })

  it('[TU24] without a terminal the sessions are printed once', async () => {
    const { code, stdout } = await home.run([])
    expect(code).toBe(0)
    expect(stdout).toMatch(/working[\s\S]*engine[\s\S]*listening on/)
    expect(stdout).not.toContain('\u001b')
  })
})
