import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { itUnless, NO_PROC } from '../support/needs.ts'
import {
  begin,
  hasProc,
  left,
  type RunOptions,
  run,
  type Stage,
  shells,
  silent,
  spooled,
  stage,
  until,
} from './support.ts'

const payload = '{"session_id":"a","model":{"id":"%s"},"text":"a\\\\nb \' $x"}\n'

describe.each(shells)('the status line in %s', (shell) => {
  it('[HK13] spools its input, and prints nothing without a command', async () => {
    const on = stage()
    for (const input of [payload, payload.trimEnd()]) {
      const { child, ended } = begin(on, command(shell, on), { input, env: { TMUX_PANE: '%3' } })
      expect(await ended).toMatchObject(silent)
      const mine = spooled(on).find(({ name }) => name === `statusline.${child.pid}`)
      expect(mine).toMatchObject({ complete: true, payload: input, head: { tmuxPane: '%3' } })
    }
  })

  it('[HK13] passes stdin, output, errors and exit code of the user’s command', async () => {
    const script = 'cat; echo "it\'s $A" >&2; printf %s\\\\n "$0" "$#"; umask; exit 7'
    const on = stage({ command: script })
    for (const input of [payload, payload.trimEnd(), `${payload}\n\n`, '']) {
      const env = { A: 'B', PATH: process.env.PATH ?? '' }
      const alone = await run(on, ['/bin/sh', '-c', script], { input, env })
      const wrapped = await runLine(shell, on, { input, env })
      expect({ ...wrapped, ms: 0 }).toEqual({ ...alone, ms: 0 })
      expect(wrapped.stdout.startsWith(input)).toBe(true)
    }
    expect(spooled(on).filter(({ complete }) => complete)).toHaveLength(4)
  })

  it('[HK13] leaves the command’s environment as it is', async () => {
    const on = stage({ command: 'env | grep -v ^_ | sort' })
    const env = { PATH: process.env.PATH ?? '', spool: 's', report: 'r', reader: '1', timer: '2' }
    const alone = await run(on, ['/bin/sh', '-c', 'env | grep -v ^_ | sort'], { env })
    const wrapped = await runLine(shell, on, { env, input: payload })
    const vars = (text: string) => text.split('\n').filter((line) => !/^(SHLVL|OLDPWD)=/.test(line))
    expect(vars(wrapped.stdout)).toEqual(vars(alone.stdout))
  })

  it('[HK14] shows the user’s line when nothing can be spooled', async () => {
    const on = stage({ spool: '/dev/null/spool', command: 'cat' })
    expect(await runLine(shell, on, { input: payload })).toMatchObject({
      ...silent,
      stdout: payload,
    })
    expect(await runLine(shell, on, { env: {}, input: payload })).toMatchObject({ stdout: payload })
  })

  it('[HK14] a command that reads nothing loses nothing', async () => {
    const on = stage({ command: 'echo line' })
    const input = `{"text":"${'x'.repeat(1_000_000)}"}`
    expect(await runLine(shell, on, { input })).toMatchObject({ ...silent, stdout: 'line\n' })
    expect(spooled(on)).toMatchObject([{ complete: true, payload: input }])
  })

  it('[HK14] a payload of 50 MB passes', async () => {
    const on = stage({ command: 'wc -c' })
    const input = `{"text":"${'x'.repeat(50_000_000)}"}`
    const { stdout } = await runLine(shell, on, { input })
    expect(Number(stdout)).toBe(input.length)
    expect(spooled(on)[0]?.payload === input).toBe(true)
  })

  it('[HK15] a signal ends the user’s command too, after the report was spooled', async () => {
    const script = 'echo $$ >"$PID_FILE"; exec sleep 60'
    const on = stage({ command: script })
    const env = { PATH: process.env.PATH ?? '', PID_FILE: join(on.folder, 'pid') }
    writeFileSync(env.PID_FILE, '')
    const { child, ended } = begin(on, command(shell, on), { input: payload, env })
    await until('the command', () => readFileSync(env.PID_FILE, 'utf8') !== '')
    expect(spooled(on)).toMatchObject([{ complete: true, payload }])
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ signal: 'SIGTERM', stdout: '', stderr: '' })
    expect(() => process.kill(Number(readFileSync(env.PID_FILE, 'utf8')), 0)).toThrow('ESRCH')
    if (hasProc) expect(left(on)).toEqual([])
  })

  it('[HK15] a command that heeds the signal has the last word', async () => {
    const script = 'trap "echo bye; exit 5" TERM; echo up; while :; do sleep 0.02; done'
    const on = stage({ command: script })
    const { child, ended } = begin(on, command(shell, on), { input: payload })
    await new Promise((resolve) => child.stdout?.once('data', resolve))
    child.kill('SIGTERM')
    expect(await ended).toMatchObject({ code: 5, stdout: 'up\nbye\n', stderr: '' })
  })

  itUnless(NO_PROC)('[HK9] leaves no process behind', async () => {
    const on = stage({ command: 'cat' })
    for (let i = 0; i < 10; i++) {
      await runLine(shell, on, { input: payload })
      expect(left(on)).toEqual([])
    }
  })
})

describe.concurrent.each(shells)('stdin of the status line that stays open, in %s', (shell) => {
  it('[HK7] is given up after 5 s, and the user’s line shows', async (test) => {
    const whole = stage({ command: 'cat' }, test.onTestFinished)
    const half = stage({ command: 'cat' }, test.onTestFinished)
    const [first, second] = await Promise.all([
      runLine(shell, whole, { input: payload, open: true }),
      runLine(shell, half, { input: '{"a', open: true }),
    ])
    test.expect(first).toMatchObject({ ...silent, stdout: payload })
    test.expect(spooled(whole)).toMatchObject([{ complete: true, payload }])
    test.expect(second).toMatchObject({ ...silent, stdout: '{"a' })
    test.expect(spooled(half)).toEqual([])
  })
})

function runLine(shell: string, on: Stage, options: RunOptions) {
  return run(on, command(shell, on), options)
}

function command(shell: string, { statusline }: Stage): string[] {
  return [...shell.split(' '), statusline]
}
