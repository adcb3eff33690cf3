import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { itUnless, NO_PROC } from '../support/needs.ts'
import { goesOn } from '../support/told.ts'
import { arm, env, SESSION, stubDaemon } from './stub-daemon.ts'
import { left, run, settled, silent, spooled, stage, until } from './support.ts'

const payload = `{"session_id":"${SESSION}","hook_event_name":"Stop"}\n`
const node = process.execPath

/** Imports what bin/answer.js loads on demand; a busy machine takes its time. */
const check = (command: string) => {
  return { act: 'chore', chore: { kind: 'check', command, timeoutMs: 30_000 } }
}

it('[LP38] a check is run in the agent’s folder, and told with the next question', async () => {
  const on = stage({ node })
  arm(on)
  const project = join(on.folder, 'project')
  mkdirSync(project)
  const reason = 'it fails'
  const asked = await stubDaemon(on, [check('pwd; echo why >&2; exit 3'), goesOn(reason)])
  const options = { input: payload, env, cwd: project }
  const { code, stdout } = await run(on, [on.hook, 'answer'], options)
  expect({ code, stdout: JSON.parse(stdout) }).toEqual({
    code: 2,
    stdout: { decision: 'block', reason },
  })
  const report = spooled(on)[0]?.name
  const bound = { report, digest: hash('sha256', payload), askedAt: expect.any(Number) }
  const result = { check: { exitCode: 3, output: `${project}\nwhy` } }
  expect(asked.map(({ body }) => body)).toEqual([bound, { ...bound, result }])
})

it('[LP38] a daemon that never has enough of it is left', async () => {
  const on = stage({ node })
  arm(on)
  const asked = await stubDaemon(on, [check('true')])
  const ended = await run(on, [on.hook, 'answer'], { input: payload, env })
  expect(ended).toMatchObject(silent)
  expect(asked.length).toBeLessThan(20)
})

/** A hook whose check sleeps, in a group of its own, as clients start it. */
async function asleep() {
  const on = stage({ node })
  arm(on)
  const asked = await stubDaemon(on, [check('sleep 60'), { act: 'allow' }])
  const child = spawn(on.hook, ['answer'], {
    detached: true,
    env: { ...env, VIGIL_TEST_MARK: on.mark },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part))
  child.stdin.end(payload)
  const ended = new Promise((resolve) => child.on('close', resolve))
  // The hook, Node and the shell with its `sleep`.
  await until('the check to run', () => left(on).length >= 4)
  const end = async (signal: NodeJS.Signals) => {
    process.kill(-(child.pid ?? 0), signal)
    const code = await ended
    await settled(on)
    return { code, said, asked: asked.length }
  }
  return { end }
}

itUnless(NO_PROC)('[LP38] a client that gives its hook up ends the check, too', async () => {
  const { end } = await asleep()
  expect(await end('SIGTERM')).toEqual({ code: 0, said: '', asked: 1 })
})

itUnless(NO_PROC)('[LP38] a client that kills its hook ends the check, too', async () => {
  const { end } = await asleep()
  expect(await end('SIGKILL')).toEqual({ code: null, said: '', asked: 1 })
})
