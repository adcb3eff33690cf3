import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { WaitPipes } from '../../src/daemon/requests/waiting-hooks.ts'
import { itUnless, NO_PROC, NO_SPACES } from '../support/needs.ts'
import { env, listens, SESSION, socketOf, stubDaemon, TOKEN } from './stub-daemon.ts'
import {
  begin,
  daemonRuns,
  left,
  run,
  type Stage,
  settled,
  shells,
  silent,
  spooled,
  stage,
  until,
} from './support.ts'

const asked = { session_id: SESSION, hook_event_name: 'PermissionRequest', tool_name: 'Bash' }
const payload = `${JSON.stringify({ ...asked, tool_input: { command: 'x "agent_id":"y"' } })}\n`
const node = process.execPath
const output = {
  hookSpecificOutput: {
    hookEventName: 'PermissionRequest',
    decision: { behavior: 'deny', message: 'not "so"\n$HOME `id` %s ä' },
  },
}
const digest = hash('sha256', payload)
const decide = { act: 'decide', output, digest }
const said = { ...silent, stdout: `${JSON.stringify(output)}\n` }

/** As the daemon does while answering is on. */
function mark({ run: folder }: Stage): void {
  mkdirSync(join(folder, 'waiting'), { recursive: true })
  writeFileSync(join(folder, 'token'), `${TOKEN}\n`)
}

function request(shell: string, on: Stage, more: Readonly<Record<string, string>> = {}) {
  const command = [...shell.split(' '), on.hook, 'answer', 'request']
  return begin(on, command, { input: payload, env: { ...env, ...more } })
}

/** As the daemon does, once the report of a hook that waits is complete. */
async function tells(on: Stage, word: 'answer' | 'end'): Promise<void> {
  const pipes = new WaitPipes(on, () => {})
  const heard = () => readdirSync(join(on.run, 'waiting')).some((name) => pipes.send(name, word))
  await until('a report', () => spooled(on).some(({ complete }) => complete))
  await until('a hook that waits', heard)
}

/** A hook that gets the line that there is an answer. */
async function answered(shell: string, on: Stage, more: Readonly<Record<string, string>> = {}) {
  const { ended } = request(shell, on, more)
  await tells(on, 'answer')
  return ended
}

describe.each(shells)('a hook that waits for an answer, in %s', (shell) => {
  it('[AN10] asks by the name of its report when told to, and passes the decision on', async () => {
    const on = stage({ node })
    mark(on)
    const questions = await stubDaemon(on, [decide])
    expect(await answered(shell, on)).toMatchObject(said)
    const [file] = spooled(on)
    expect(file).toMatchObject({ complete: true, payload, head: { asks: '1' } })
    expect(questions).toMatchObject([
      { method: 'POST', path: '/v1/requests/outcome', body: { report: file?.name, digest } },
    ])
  })

  it('[AN13] ends in silence when its request is over, and asks nothing', async () => {
    const on = stage({ node })
    mark(on)
    const questions = await stubDaemon(on, [decide])
    const { ended } = request(shell, on)
    await tells(on, 'end')
    expect(await ended).toMatchObject(silent)
    expect(questions).toEqual([])
  })

  it.each([
    ['answering is off', {}, false],
    ['no terminal is there', { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }, true],
    ['another program shows the dialog', { CLAUDE_CODE_ENTRYPOINT: 'claude-vscode' }, true],
    ['another agent runs the hook', { COPILOT_CLI: '1' }, true],
  ])('[AN11][HK18] it does not wait when %s', async (_, more, marked) => {
    const on = stage({ node })
    if (marked) mark(on)
    expect(await request(shell, on, more).ended).toMatchObject(silent)
    const [file] = spooled(on)
    expect(file).toMatchObject({ complete: true, payload })
    expect(file?.head).not.toHaveProperty('asks')
  })

  it('[AN11] nor for a subagent', async () => {
    const on = stage({ node })
    mark(on)
    const input = JSON.stringify({ ...asked, agent_id: 'a1', tool_input: {} })
    const command = [...shell.split(' '), on.hook, 'answer', 'request']
    expect(await run(on, command, { input, env })).toMatchObject(silent)
    expect(spooled(on)).toMatchObject([{ complete: true }])
    expect(readdirSync(join(on.run, 'waiting'))).toEqual([])
  })

  it('[AN10] answers of loops have nothing to do with it', async () => {
    const on = stage({ node })
    mark(on)
    const questions = await stubDaemon(on, [decide])
    const off = { IDLE_LOOP_DISABLE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli' }
    expect(await answered(shell, on, off)).toMatchObject(said)
    rmSync(join(on.run, 'waiting'), { recursive: true })
    mkdirSync(join(on.run, 'armed'))
    writeFileSync(join(on.run, 'armed', SESSION), '')
    expect(await request(shell, on).ended).toMatchObject(silent)
    expect(questions).toHaveLength(1)
  })

  it('[AN10] what a dead process of its number left is no hindrance', async () => {
    const on = stage({ node })
    mark(on)
    await stubDaemon(on, [decide])
    const before = ': >"$1/waiting/hook.$$"; exec "$0" answer request'
    const { ended } = begin(on, ['/bin/sh', '-c', before, on.hook, on.run], { input: payload, env })
    await tells(on, 'answer')
    expect(await ended).toMatchObject(said)
  })

  itUnless(NO_PROC)('[AN19] a signal of its client ends it, and all of it', async () => {
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) {
      const on = stage({ node })
      mark(on)
      daemonRuns(on)
      const { child, ended } = request(shell, on)
      await until('it waits', () => spooled(on).some(({ complete }) => complete))
      await until('one process is left', () => left(on).length === 1)
      // One that comes just before the shell blocks is heard only with the next.
      const again = setInterval(() => child.kill(signal), 200)
      expect(await ended).toMatchObject(silent)
      clearInterval(again)
      await settled(on)
    }
  })
})

describe('it waits', () => {
  itUnless(NO_PROC)('[AN10] as one shell, which runs nothing', async () => {
    const on = stage({ node })
    mark(on)
    daemonRuns(on)
    const { child, ended } = request('sh', on)
    await until('it waits', () => spooled(on).some(({ complete }) => complete))
    await until('one process is left', () => left(on).length === 1)
    const ticks = () => readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ').slice(13, 17)
    const before = ticks()
    await sleep(1_000)
    expect([left(on), ticks()]).toEqual([[child.pid], before])
    await tells(on, 'end')
    expect(await ended).toMatchObject(silent)
  })

  itUnless(NO_PROC)('[AN17] on when its daemon is gone, and asks the next one', async () => {
    const on = stage({ node })
    mark(on)
    daemonRuns(on)
    const { ended } = request('sh', on)
    await tells(on, 'answer')
    await until('its Node looks for the daemon', () => left(on).length > 1)
    await until('it waits on', () => left(on).length === 1)
    const questions = await stubDaemon(on, [{ act: 'again' }, decide])
    await tells(on, 'answer')
    await until('it has asked', () => questions.length === 1)
    await tells(on, 'answer')
    expect(await ended).toMatchObject(said)
  })

  it('[AN19] not where no pipe can be made', async () => {
    const on = stage({ node })
    mark(on)
    rmSync(join(on.run, 'waiting'), { recursive: true })
    symlinkSync('/dev/null/nowhere', join(on.run, 'waiting'))
    expect(await request('sh', on).ended).toMatchObject(silent)
    rmSync(join(on.run, 'waiting'))
    mkdirSync(join(on.run, 'waiting'))
    const text = readFileSync(on.hook, 'utf8').replaceAll('mkfifo', 'no-such-program')
    writeFileSync(on.hook, text)
    expect(await request('sh', on).ended).toMatchObject(silent)
    expect(spooled(on).every(({ complete }) => complete)).toBe(true)
  })
})

describe.concurrent('whatever is wrong, its user is asked in the terminal', (test) => {
  const answers: Readonly<Record<string, RequestListener>> = {
    'an error of the daemon': (_, to) => void to.writeHead(500).end(told(decide)),
    'an older daemon': (_, to) => void to.writeHead(404).end('{}'),
    'another token': (_, to) => void to.writeHead(401).end('{}'),
    'no JSON': (_, to) => void to.end('<allow>'),
    'nothing at all': (_, to) => void to.end(),
    'the answer is too long': (_, to) => {
      const more = () => to.write('x'.repeat(65_536), () => to.destroyed || more())
      more()
    },
    ...Object.fromEntries(
      [
        null,
        {},
        { act: 'decide' },
        { act: 'decide', output: {} },
        { act: 'decide', output: { hookSpecificOutput: { hookEventName: 'Stop' } } },
        { act: 'decide', output: { decision: 'approve' } },
        { act: 'allow' },
      ].map((answer) => [
        JSON.stringify(answer),
        (_, to) => void to.end(JSON.stringify(answer && { digest, ...answer })),
      ]),
    ),
  }
  test.for(Object.entries(answers))('[AN19] %s', async ([, handle], own) => {
    const on = stage({ node }, own.onTestFinished)
    mark(on)
    const server = served(handle)
    own.onTestFinished(() => server.closeAllConnections())
    await listens(on, server, own.onTestFinished)
    const ended = await answered('sh', on)
    own.expect(ended).toMatchObject(silent)
    own.expect(ended.ms).toBeLessThan(10_000)
  })
})

describe.each(shells)('an answer to something else, in %s', (shell) => {
  it.each([
    ['no payload', undefined],
    ['another payload', hash('sha256', payload.replace('x ', 'rm -rf '))],
    ['no digest', 7],
  ])('[BR2] that names %s is not printed', async (_, other) => {
    const on = stage({ node })
    mark(on)
    await stubDaemon(on, [{ ...decide, digest: other }])
    expect(await answered(shell, on)).toMatchObject(silent)
  })

  it('[BR2] its report is read where the daemon has removed it', async () => {
    const on = stage({ node })
    mark(on)
    await listens(
      on,
      served((from, to) => {
        for (const { name } of spooled(on)) rmSync(join(on.spool, name))
        to.end(told(decide))
        from.resume()
      }),
    )
    expect(await answered(shell, on)).toMatchObject(said)
    expect(spooled(on)).toEqual([])
  })
})

describe('what it costs while answering is off', () => {
  itUnless(NO_SPACES)('[AN10] it starts not one process more', () => {
    for (const shell of shells) {
      const on = stage({ node })
      writeFileSync(join(on.run, 'daemon.pid'), '1 -\n')
      mkdirSync(on.spool)
      const plain = forksOf(shell, on)
      expect(forksOf(shell, on, 'answer', 'request')).toBe(plain)
      expect(existsSync(socketOf(on))).toBe(false)
    }
  })
})

function served(handle: RequestListener) {
  return createServer((from, to) => {
    to.on('error', () => {})
    from.resume().on('end', () => handle(from, to))
  })
}

function told(answer: object): string {
  return JSON.stringify(answer)
}

/** Where process ids begin anew each process takes the next: the last tells how many there were. */
function forksOf(shell: string, { hook }: Stage, ...words: string[]): number {
  const script = `${shell} "$@" <<'END'\n${payload}END\n/bin/sh -c 'echo $$'`
  const args = ['--pid', '--fork', '--mount-proc', '/bin/sh', '-c', script, 'sh', hook, ...words]
  return Number(execFileSync('unshare', args, { encoding: 'utf8', env }))
}
