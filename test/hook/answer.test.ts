import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { itUnless, NO_PROC, NO_SPACES } from '../support/needs.ts'
import { goesOn, reminded } from '../support/told.ts'
import { arm, env, listens, SESSION, socketOf, stubDaemon, TOKEN } from './stub-daemon.ts'
import {
  daemonRuns,
  left,
  type RunOptions,
  run,
  type Stage,
  shells,
  silent,
  spooled,
  stage,
  starts,
  until,
} from './support.ts'

const payload = `{"session_id":"${SESSION}","hook_event_name":"Stop"}\n`
const node = process.execPath
const reason = '[ITERATION 1/3] Continue "working" on\n\nthe täsk \\ $HOME `id` %s'
const block = goesOn(reason)
const blocked = { code: 2, signal: null, stdout: said({ decision: 'block', reason }), stderr: '' }

function said(output: object): string {
  return `${JSON.stringify(output)}\n`
}

function answer(shell: string, on: Stage, options: RunOptions = {}) {
  return run(on, [...shell.split(' '), on.hook, 'answer'], { input: payload, env, ...options })
}

describe.each(shells)('a hook that may answer, in %s', (shell) => {
  it('[LP30] in a loop it asks about its report, and passes the daemon’s block on', async () => {
    const on = stage({ node })
    arm(on)
    const asked = await stubDaemon(on, [block])
    expect(await answer(shell, on)).toMatchObject(blocked)
    const [file] = spooled(on)
    expect(file).toMatchObject({ complete: true, payload, head: { asks: '1' } })
    expect(asked).toMatchObject([
      {
        method: 'POST',
        path: '/v1/loops/answer',
        headers: { 'x-vigil': '1', authorization: `Bearer ${TOKEN}` },
        body: { report: file?.name, digest: hash('sha256', payload) },
      },
    ])
  })

  it('[LP30] a Stop that is let through is let through in silence', async () => {
    const on = stage({ node })
    arm(on)
    const asked = await stubDaemon(on, [{ act: 'allow' }])
    expect(await answer(shell, on)).toMatchObject(silent)
    expect(asked).toHaveLength(1)
  })

  it('[LP36] what is to be said after a compaction becomes context of the agent', async () => {
    const on = stage({ node })
    arm(on)
    await stubDaemon(on, [reminded('The goal:\n"mend" it')])
    const output = { hookEventName: 'SessionStart', additionalContext: 'The goal:\n"mend" it' }
    const stdout = said({ hookSpecificOutput: output })
    expect(await answer(shell, on)).toMatchObject({ ...silent, stdout })
  })

  it('[LP36] with a source, only an event of that is asked about', async () => {
    const on = stage({ node })
    arm(on)
    const asked = await stubDaemon(on, [reminded('The goal')])
    const command = [...shell.split(' '), on.hook, 'answer', 'compact']
    for (const source of ['startup', 'resume', 'compact', 'a compact'])
      for (const end of ['', '\n']) {
        const input = `${JSON.stringify({ source, title: '"source":"compact"' })}${end}`
        const { code, stdout } = await run(on, command, { input, env })
        expect({ code, said: stdout !== '' }).toEqual({ code: 0, said: source === 'compact' })
      }
    expect(asked).toHaveLength(2)
    expect(spooled(on).filter(({ complete }) => complete)).toHaveLength(8)
  })

  it.each([
    ['no session is in a loop', {}, undefined],
    ['another session is in one', {}, 'another'],
    ['IDLE_LOOP_DISABLE', { IDLE_LOOP_DISABLE: '1' }, SESSION],
    ['VIGIL_LOOP_DISABLE', { VIGIL_LOOP_DISABLE: '1' }, SESSION],
    ['another agent runs the hook', { COPILOT_CLI: '1' }, SESSION],
  ])('[LP31][HK18] it asks no daemon when %s', async (_, more, armed) => {
    const on = stage({ node })
    if (armed) arm(on, armed)
    const asked = await stubDaemon(on, [block])
    expect(await answer(shell, on, { env: { ...env, ...more } })).toMatchObject(silent)
    expect(asked).toEqual([])
    const [file] = spooled(on)
    expect(file).toMatchObject({ complete: true, payload })
    expect(file?.head).not.toHaveProperty('asks')
    expect(file?.head.loopOff).toBe(/LOOP/.test(Object.keys(more).join()) ? '1' : undefined)
  })

  it('[LP31] a hook of another event asks no daemon', async () => {
    const on = stage({ node })
    arm(on)
    const asked = await stubDaemon(on, [block])
    for (const words of [[], ['Stop'], ['', 'answer']]) {
      const command = [...shell.split(' '), on.hook, ...words]
      expect(await run(on, command, { input: payload, env })).toMatchObject(silent)
    }
    expect(asked).toEqual([])
  })

  it('[LP32] a client that does not name its session asks while any loop runs', async () => {
    const on = stage({ node })
    const old = { env: { PATH: env.PATH } }
    const asked = await stubDaemon(on, [block])
    expect(await answer(shell, on, old)).toMatchObject(silent)
    arm(on, 'another')
    expect(await answer(shell, on, old)).toMatchObject(blocked)
    expect(asked).toHaveLength(1)
  })

  it('[LP33] what is run for a loop has the agent’s own folder, PATH and umask', async () => {
    const seen = '{ pwd; echo "$PATH"; umask; echo "$OWN"; } >"$OUT"\n'
    const fake = stage()
    const own = join(fake.folder, 'node')
    writeFileSync(own, `#!/bin/sh\n${seen}`, { mode: 0o700 })
    const on = stage({ node: own })
    arm(on)
    daemonRuns(on)
    const PATH = `/opt/own:${env.PATH}`
    const OUT = join(on.folder, 'seen')
    const options = { input: payload, cwd: '/usr', env: { ...env, PATH, OUT, OWN: 'mine' } }
    const line = `umask 022; exec ${shell} "$0" answer`
    expect(await run(on, ['/bin/sh', '-c', line, on.hook], options)).toMatchObject(silent)
    const [cwd, path, umask, mine] = readFileSync(OUT, 'utf8').split('\n')
    expect([cwd, path, mine]).toEqual([realpathSync('/usr'), PATH, 'mine'])
    expect(Number.parseInt(umask ?? '', 8)).toBe(0o022)
  })

  it('[LP34] nothing that the hook starts holds the client’s output', async () => {
    const starter =
      'while ! [ -e "$VIGIL_HOME/go" ]; do sleep 0.05; done; echo end >>"$VIGIL_HOME/starts"'
    // The same program stands for Node: it answers at once, and starts a daemon that stays.
    const fake = stage()
    const both = join(fake.folder, 'node')
    const lines = ['#!/bin/sh', `case $1 in *answer.js) exit 0 ;; esac`, starter]
    writeFileSync(both, `${lines.join('\n')}\n`, { mode: 0o700 })
    const on = stage({ node: both })
    arm(on)
    expect(await answer(shell, on)).toMatchObject(silent)
    expect(starts(on)).toEqual([])
    writeFileSync(join(on.folder, 'go'), '')
    await until('the start', () => starts(on).length === 1)
  })

  itUnless(NO_PROC)('[LP34] leaves no process behind', async () => {
    const on = stage({ node })
    arm(on)
    await stubDaemon(on, [block])
    await answer(shell, on)
    expect(left(on)).toEqual([])
  })

  it('[LP35] an output that is closed costs the report nothing', async () => {
    const on = stage({ node })
    arm(on)
    const asked = await stubDaemon(on, [block])
    const line = `exec ${shell} "$0" answer >&-`
    const ended = await run(on, ['/bin/sh', '-c', line, on.hook], { input: payload, env })
    expect(ended).toMatchObject(silent)
    expect(asked).toEqual([])
    expect(spooled(on)).toMatchObject([{ complete: true, payload }])
  })

  it('[LP35] a report that could not be written is not asked about', async () => {
    const on = stage({ node })
    arm(on)
    const asked = await stubDaemon(on, [block])
    const line = `ulimit -f 0; exec ${shell} "$0" answer`
    const ended = await run(on, ['/bin/sh', '-c', line, on.hook], { input: payload, env })
    expect(ended).toMatchObject(silent)
    expect(asked).toEqual([])
    expect(spooled(on)).toEqual([])
  })

  it('[LP37] a daemon that is just being started is waited for', async () => {
    const on = stage({ node })
    arm(on)
    rmSync(join(on.run, 'token'))
    const running = answer(shell, on)
    await sleep(400)
    arm(on)
    const answers = createServer((from, to) => {
      from.resume().on('end', () => to.end(JSON.stringify(block)))
    })
    await listens(on, answers)
    expect(await running).toMatchObject(blocked)
  })
})

describe('what it costs while no session is in a loop', () => {
  itUnless(NO_SPACES)('[LP31] it starts not one process more', () => {
    for (const shell of shells) {
      const on = stage({ node })
      // In a world of its own process 1 is there, whatever it is.
      writeFileSync(join(on.run, 'daemon.pid'), '1 -\n')
      mkdirSync(on.spool)
      expect(forksOf(shell, on)).toBe(PLAIN)
      expect(forksOf(shell, on, 'answer')).toBe(PLAIN)
      mkdirSync(join(on.run, 'armed'))
      expect(forksOf(shell, on, 'answer')).toBe(PLAIN)
      expect(spooled(on)).toHaveLength(3)
      expect(existsSync(socketOf(on))).toBe(false)
    }
  })
})

/** The shell around it, the hook, its `cat` and `sleep`, and the shell that tells its own. */
const PLAIN = 5

/** Where process ids begin anew each process takes the next: the last tells how many there were. */
function forksOf(shell: string, { hook }: Stage, ...words: string[]): number {
  const script = `${shell} "$@" <<'END'\n${payload}END\n/bin/sh -c 'echo $$'`
  const args = ['--pid', '--fork', '--mount-proc', '/bin/sh', '-c', script, 'sh', hook, ...words]
  return Number(execFileSync('unshare', args, { encoding: 'utf8', env }))
}
