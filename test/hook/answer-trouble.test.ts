import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { describe, type TestContext } from 'vitest'
import { goesOn } from '../support/told.ts'
import { arm, env, listens, SESSION, socketOf, speaking, stubDaemon } from './stub-daemon.ts'
import { daemonRuns, run, type Stage, shells, silent, spooled, stage, until } from './support.ts'

const payload = `{"session_id":"${SESSION}","hook_event_name":"Stop"}\n`
const node = process.execPath
const block = JSON.stringify(goesOn('go on'))

/** As in bin/answer.js, and what else a busy machine needs. */
const ANSWER_MAX_MS = 8_000
const SLACK_MS = 4_000

type Trouble = (on: Stage, test: TestContext) => unknown

const TROUBLES: Readonly<Record<string, Trouble>> = {
  'no daemon was ever there': () => {},
  'a socket whose daemon was killed': killedDaemon,
  'a file in the socket’s place': (on) => writeFileSync(socketOf(on), ''),
  'a daemon that accepts and says nothing': served(() => {}),
  'a daemon that dies before it answers': served((from) => from.socket.destroy()),
  'a daemon that breaks off in the middle': served((_, to) => {
    to.writeHead(200, { 'content-length': block.length })
    to.write(block.slice(0, 20), () => to.destroy())
  }),
  'a daemon that begins and never ends': served((_, to) => to.writeHead(200).write(block)),
  'an answer that is no HTTP': spoken('who is there?\r\n\r\n'),
  'an answer that is no JSON': served((_, to) => to.end('<block>')),
  'an empty answer': served((_, to) => to.end()),
  'the answer is too long': served((_, to) => {
    to.writeHead(200)
    const more = () => to.write('x'.repeat(65_536), () => to.destroyed || more())
    more()
  }),
  'an error of the daemon': served((_, to) => to.writeHead(500).end(block)),
  'another daemon’s token': (on, test) => {
    writeFileSync(join(on.run, 'token'), 'another\n')
    return stubDaemon(on, [JSON.parse(block)], test.onTestFinished)
  },
  'no token': served((_, to) => to.writeHead(401).end(block)),
  ...Object.fromEntries(
    [null, [], 'print', { act: 'print' }, { ...goesOn('on'), output: 7 }, { act: 'dance' }, {}]
      .concat([
        { ...goesOn('on'), exit: 0 },
        { ...goesOn('on'), output: { decision: 'x' } },
      ])
      .concat([{ act: 'chore' }, { act: 'chore', chore: { kind: 'sing' } }] as object[])
      .map((answer) => [
        `the answer ${JSON.stringify(answer)}`,
        served((_, to) => to.end(JSON.stringify(answer))),
      ]),
  ),
}

describe.concurrent('the agent stops as it would have', (it) => {
  it.for(Object.entries(TROUBLES))('[LP35] %s', async ([, trouble], test) => {
    const on = stage({ node }, test.onTestFinished)
    daemonRuns(on)
    arm(on)
    await trouble(on, test)
    const { ms, ...ended } = await run(on, [on.hook, 'answer'], { input: payload, env })
    test.expect(ended).toMatchObject(silent)
    test.expect(ms).toBeLessThan(ANSWER_MAX_MS + SLACK_MS)
    const [file, ...more] = spooled(on)
    test.expect(file).toMatchObject({ complete: true, payload, head: { asks: '1' } })
    test.expect(more).toEqual([])
  })
})

/** What may stand in Node's place, or become of it. */
const NODES = {
  'is gone': undefined,
  'prints something else and exits 2': 'echo "usage: node"; exit 2',
  'prints half an answer and exits 2': `printf '{"decision":"block","reason":"go'; exit 2`,
  'exits 2 in silence': 'exit 2',
  'prints an answer and fails': `printf '{"decision":"block","reason":"go on"}'; exit 1`,
  complains: 'echo "no room" >&2; exit 1',
  crashes: 'kill -SEGV $$',
  'is killed': 'kill -KILL $$',
} as const

describe.concurrent.each(shells)('in %s, Node', (shell) => {
  describe.concurrent('the agent stops when Node', (it) => {
    it.for(Object.entries(NODES))('[LP35] %s', async ([, script], test) => {
      const folder = stage({}, test.onTestFinished).folder
      const fake = join(folder, 'node')
      if (script) writeFileSync(fake, `#!/bin/sh\n${script}\n`, { mode: 0o700 })
      const on = stage({ node: fake }, test.onTestFinished)
      daemonRuns(on)
      arm(on)
      const command = [...shell.split(' '), on.hook, 'answer']
      test.expect(await run(on, command, { input: payload, env })).toMatchObject(silent)
      test.expect(spooled(on)).toMatchObject([{ complete: true, payload, head: { asks: '1' } }])
    })
  })
})

function served(handle: RequestListener): Trouble {
  return (on, test) => {
    const server = createServer((from, to) => {
      to.on('error', () => {})
      from.resume().on('end', () => handle(from, to))
    })
    test.onTestFinished(() => server.closeAllConnections())
    return listens(on, server, test.onTestFinished)
  }
}

function spoken(words: string): Trouble {
  return (on, test) => listens(on, speaking(words) as Server, test.onTestFinished)
}

/** A socket's file outlives a process that had no time to remove it. */
async function killedDaemon(on: Stage): Promise<void> {
  const script = 'process.getBuiltinModule("net").createServer().listen(process.argv[1])'
  const child = spawn(node, ['-e', script, socketOf(on)], { stdio: 'ignore' })
  await until('its socket', () => existsSync(socketOf(on)))
  child.kill('SIGKILL')
  await once(child, 'exit')
}
