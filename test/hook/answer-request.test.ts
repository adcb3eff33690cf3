import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { itUnless, NO_PROC, NO_SPACES } from '../support/needs.ts'
import { env, listens, SESSION, socketOf, stubDaemon, TOKEN } from './stub-daemon.ts'
import {
  begin,
  daemonRuns,
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

/** As the daemon does while somebody could answer. */
function mark({ run: folder }: Stage): void {
  writeFileSync(join(folder, 'answerable'), '')
  writeFileSync(join(folder, 'token'), `${TOKEN}\n`)
}

function request(shell: string, on: Stage, more: Readonly<Record<string, string>> = {}) {
  const command = [...shell.split(' '), on.hook, 'answer', 'request']
  return run(on, command, { input: payload, env: { ...env, ...more } })
}

describe.each(shells)('a hook that waits for an answer, in %s', (shell) => {
  it('[AN10] asks by the name of its report, and passes the decision on', async () => {
    const on = stage({ node })
    mark(on)
    const questions = await stubDaemon(on, [decide])
    expect(await request(shell, on)).toMatchObject(said)
    const [file] = spooled(on)
    expect(file).toMatchObject({ complete: true, payload, head: { asks: '1' } })
    expect(questions).toMatchObject([
      { method: 'POST', path: '/v1/requests/wait', body: { report: file?.name, digest } },
    ])
  })

  it('[AN13] ends in silence when there is nothing to say', async () => {
    const on = stage({ node })
    mark(on)
    await stubDaemon(on, [{ act: 'nothing' }])
    expect(await request(shell, on)).toMatchObject(silent)
  })

  it.each([
    ['nobody could answer', {}, false],
    ['no terminal is there', { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }, true],
    ['another program shows the dialog', { CLAUDE_CODE_ENTRYPOINT: 'claude-vscode' }, true],
    ['another agent runs the hook', { COPILOT_CLI: '1' }, true],
  ])('[AN11][HK18] it waits for nobody when %s', async (_, more, marked) => {
    const on = stage({ node })
    if (marked) mark(on)
    const questions = await stubDaemon(on, [decide])
    expect(await request(shell, on, more)).toMatchObject(silent)
    expect(questions).toEqual([])
    const [file] = spooled(on)
    expect(file).toMatchObject({ complete: true, payload })
    expect(file?.head).not.toHaveProperty('asks')
  })

  it('[AN11] nor for a subagent', async () => {
    const on = stage({ node })
    mark(on)
    const questions = await stubDaemon(on, [decide])
    const input = JSON.stringify({ ...asked, agent_id: 'a1', tool_input: {} })
    const command = [...shell.split(' '), on.hook, 'answer', 'request']
    expect(await run(on, command, { input, env })).toMatchObject(silent)
    expect(questions).toEqual([])
    expect(spooled(on)).toMatchObject([{ complete: true }])
  })

  it('[AN10] answers of loops have nothing to do with it', async () => {
    const on = stage({ node })
    mark(on)
    const questions = await stubDaemon(on, [decide])
    const off = { IDLE_LOOP_DISABLE: '1', CLAUDE_CODE_ENTRYPOINT: 'cli' }
    expect(await request(shell, on, off)).toMatchObject(said)
    rmSync(join(on.run, 'answerable'))
    mkdirSync(join(on.run, 'armed'))
    writeFileSync(join(on.run, 'armed', SESSION), '')
    expect(await request(shell, on)).toMatchObject(silent)
    expect(questions).toHaveLength(1)
  })
})

/** All at once: one of them waits for 15 seconds. */
describe.concurrent('it waits', () => {
  it('[AN10] for as long as it takes', async (own) => {
    const on = stage({ node }, own.onTestFinished)
    mark(on)
    await listens(
      on,
      served(async (_, to) => void sleep(3_500).then(() => to.end(told(decide)))),
      own.onTestFinished,
    )
    const ended = await request('sh', on)
    own.expect(ended).toMatchObject(said)
    own.expect(ended.ms).toBeGreaterThan(3_400)
  })

  it('[AN17] for a daemon that ends meanwhile, and asks the next one', async (own) => {
    const on = stage({ node }, own.onTestFinished)
    mark(on)
    let times = 0
    const first = served((from) => {
      times += 1
      setTimeout(() => from.socket.destroy(), 500)
    })
    await listens(on, first, own.onTestFinished)
    const running = request('sh', on)
    await until('the question', () => times === 1)
    await until('another', () => times === 2)
    await new Promise((resolve) => first.close(resolve).closeAllConnections())
    rmSync(socketOf(on), { force: true })
    await sleep(600)
    await stubDaemon(on, [{ act: 'again' }, decide], own.onTestFinished)
    own.expect(await running).toMatchObject(said)
  })

  it('[AN13] no longer than 15 s for one that stays away', { timeout: 30_000 }, async (own) => {
    const on = stage({ node }, own.onTestFinished)
    mark(on)
    daemonRuns(on)
    const ended = await request('sh', on)
    own.expect(ended).toMatchObject(silent)
    own.expect(ended.ms).toBeGreaterThan(14_000)
    own.expect(ended.ms).toBeLessThan(25_000)
  })

  itUnless(NO_PROC)(
    '[AN19] until its client gives it up, and leaves nothing behind',
    async (own) => {
      const on = stage({ node }, own.onTestFinished)
      mark(on)
      let isAsked = false
      await listens(
        on,
        served(() => {
          isAsked = true
        }),
        own.onTestFinished,
      )
      const { child, ended } = begin(on, ['setsid', on.hook, 'answer', 'request'], {
        input: payload,
        env,
      })
      // Before its Node runs a signal to end is not heard: what is on its way has to arrive.
      await until('its Node asks', () => isAsked)
      process.kill(-(child.pid ?? 0), 'SIGTERM')
      own.expect(await ended).toMatchObject(silent)
      await settled(on)
    },
  )
})

describe.concurrent('whatever is wrong, its user is asked in the terminal', (test) => {
  const answers: Readonly<Record<string, RequestListener>> = {
    'an error of the daemon': (_, to) => void to.writeHead(500).end(told(decide)),
    'an older daemon': (_, to) => void to.writeHead(404).end('{}'),
    'another token': (_, to) => void to.writeHead(401).end('{}'),
    'no JSON': (_, to) => void to.end('<allow>'),
    'nothing at all': (_, to) => void to.end(),
    'an answer without end': (_, to) => {
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
    const ended = await request('sh', on)
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
    expect(await request(shell, on)).toMatchObject(silent)
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
    expect(await request(shell, on)).toMatchObject(said)
    expect(spooled(on)).toEqual([])
  })
})

describe('what it costs while nobody could answer', () => {
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
