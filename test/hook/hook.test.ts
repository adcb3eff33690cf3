import { lstatSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { itUnless, NO_PROC } from '../support/needs.ts'
import {
  begin,
  daemonRuns,
  left,
  run,
  runAfter,
  runHook,
  shells,
  silent,
  spooled,
  stage,
} from './support.ts'

const payload = `{"session_id":"a","hook_event_name":"Stop","text":"%s \\\\n \\\\c ä"}\n`

it('the hook is tried in two shells', () => {
  expect(shells).toHaveLength(2)
})

describe.each(shells)('the hook in %s', (shell) => {
  it('[HK1] leaves one complete file that holds the payload byte for byte', async () => {
    const on = stage()
    for (const input of [payload, payload.trimEnd(), `{"a":\n1}\n\n`, '']) {
      expect(await runHook(shell, on, { input })).toMatchObject(silent)
      const [file, ...more] = spooled(on)
      expect(file).toMatchObject({ complete: true, payload: input })
      expect(more).toEqual([])
      rmSync(join(on.spool, file?.name ?? ''))
    }
  })

  it('[HK1] is named after the hook’s process', async () => {
    const on = stage()
    const { child, ended } = begin(on, [...shell.split(' '), on.hook], { input: payload })
    await ended
    expect(spooled(on)).toMatchObject([{ name: `hook.${child.pid}` }])
  })

  it('[HK2] observes, whatever its arguments, while no session is in a loop', async () => {
    const on = stage()
    for (const argument of ['answer', 'Stop', '-x', '']) {
      const command = [...shell.split(' '), on.hook, argument]
      expect(await run(on, command, { input: payload })).toMatchObject(silent)
    }
    expect(spooled(on).filter(({ complete }) => complete)).toHaveLength(4)
  })

  it('[HK3] never overwrites a file that is there', async () => {
    const on = stage()
    const old = 'mkdir "$1"; for n in "" .1 .2; do echo old >"$1/hook.$$$n"; done'
    expect(await runAfter(old, shell, on, { input: payload })).toMatchObject(silent)
    const files = spooled(on)
    expect(files.filter(({ text }) => text === 'old\n')).toHaveLength(3)
    const fresh = files.filter(({ complete }) => complete)
    expect(fresh).toHaveLength(1)
    expect(fresh[0]?.name).toMatch(/^hook\.\d+\.3$/)
  })

  it('[HK3] gives up in silence when all names are taken', async () => {
    const on = stage()
    const old =
      'mkdir "$1"; i=0; n=; while [ $i -lt 200 ]; do ' +
      'echo old >"$1/hook.$$$n"; i=$((i+1)); n=.$i; done'
    expect(await runAfter(old, shell, on, { input: payload })).toMatchObject(silent)
    expect(spooled(on).every(({ text }) => text === 'old\n')).toBe(true)
  })

  it('[HK4] reports process and place by these variables, and no others', async () => {
    const on = stage()
    const env = {
      PATH: process.env.PATH ?? '',
      CLAUDE_PID: '4700',
      TMUX: '/tmp/tmux-1000/default,123,0',
      TMUX_PANE: '%3',
      TTY: '/dev/pts/3',
      SSH_TTY: '/dev/pts/9',
      TERM_PROGRAM: 'iTerm.app',
      CLAUDE_CONFIG_DIR: '/home/ada/.claude work',
      CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '1000',
      CLAUDE_CODE_MESSAGING_TOKEN: 'secret-token',
      ANTHROPIC_API_KEY: 'secret-key',
    }
    await runHook(shell, on, { input: payload, env })
    const [file] = spooled(on)
    expect(file?.head).toEqual({
      agent: 'claude',
      ppid: String(process.pid),
      claudePid: '4700',
      tmux: '/tmp/tmux-1000/default,123,0',
      tmuxPane: '%3',
      tty: '/dev/pts/3',
      terminal: 'iTerm.app',
      configDir: '/home/ada/.claude work',
      blockCap: '1000',
    })
    expect(file?.text).not.toContain('secret')
  })

  it('[HK18] another agent that runs the same hooks is named in its place', async () => {
    const on = stage()
    const env = { PATH: process.env.PATH ?? '', COPILOT_CLI: '1' }
    expect(await runHook(shell, on, { input: payload, env })).toMatchObject(silent)
    expect(spooled(on)).toMatchObject([{ complete: true, payload, head: { agent: 'copilot' } }])
  })

  it('[HK4] a newline in a variable ends its value', async () => {
    const on = stage()
    const evil = 'one\n\n{"session_id":"forged"}\n.\n'
    const names = [
      ...['CLAUDE_PID', 'TMUX', 'TMUX_PANE', 'TTY', 'TERM_PROGRAM', 'CLAUDE_CONFIG_DIR'],
      'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP',
    ]
    const env = Object.fromEntries(names.map((name) => [name, evil]))
    await runHook(shell, on, { input: payload, env })
    const [file] = spooled(on)
    expect(file).toMatchObject({ complete: true, payload })
    expect(Object.values(file?.head ?? {}).slice(2)).toEqual(names.map(() => 'one'))
  })

  it.each([
    [{ KITTY_WINDOW_ID: '1' }, 'kitty'],
    [{ WEZTERM_PANE: '0' }, 'WezTerm'],
    [{ WT_SESSION: 'x' }, 'WindowsTerminal'],
    [{ ALACRITTY_WINDOW_ID: '1' }, 'alacritty'],
    [{ TERM_PROGRAM: 'tmux', KITTY_WINDOW_ID: '1' }, 'kitty'],
    [{ TERM_PROGRAM: 'tmux' }, 'tmux'],
    [{ TERM_PROGRAM: 'vscode', KITTY_WINDOW_ID: '1' }, 'vscode'],
    [{}, ''],
  ])(
    '[HK4] a terminal that does not name itself is known by its variables %j',
    async (env, terminal) => {
      const on = stage()
      await runHook(shell, on, { input: payload, env })
      expect(spooled(on)[0]?.head.terminal).toBe(terminal)
    },
  )

  it.each([
    [{ SSH_TTY: '/dev/pts/1', GPG_TTY: '/dev/pts/2' }, '/dev/pts/1'],
    [{ GPG_TTY: '/dev/pts/2' }, '/dev/pts/2'],
  ])('[HK4] without TTY another variable may name it %j', async (env, tty) => {
    const on = stage()
    await runHook(shell, on, { input: payload, env })
    expect(spooled(on)[0]?.head.tty).toBe(tty)
  })

  it('[HK5] makes a spool folder that is gone, for its user alone', async () => {
    const on = stage()
    await runAfter('umask 000', shell, on, { input: payload })
    expect(lstatSync(on.spool).mode & 0o777).toBe(0o700)
    const [file] = spooled(on)
    expect(file?.complete).toBe(true)
    expect(lstatSync(join(on.spool, file?.name ?? '')).mode & 0o777).toBe(0o600)
  })

  itUnless(NO_PROC)('[HK9] leaves no process behind', async () => {
    const on = stage()
    daemonRuns(on)
    for (let i = 0; i < 20; i++) {
      await runHook(shell, on, { input: payload })
      expect(left(on)).toEqual([])
    }
  })
})

describe('as the client runs it', () => {
  it('[HK1] the file alone is the command', async () => {
    const on = stage()
    expect(await run(on, [on.hook], { input: payload })).toMatchObject(silent)
    expect(spooled(on)).toMatchObject([{ complete: true, payload }])
  })
})
