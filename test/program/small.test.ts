import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { UNNAMED_AGENT } from '../../src/agents/index.ts'
import { holderOf } from '../../src/client/holder.ts'
import { COMMAND } from '../../src/client/start.ts'
import { daemonCommand, SMALL_HEAP } from '../../src/home/daemon-command.ts'
import { launchAgentText } from '../../src/install/launchd.ts'
import { writeHook } from '../../src/install/scripts.ts'
import { SERVICE, unitsOf } from '../../src/install/service.ts'
import { signedIn } from '../origin/support.ts'
import { askPage } from '../support/ask-page.ts'
import { DaemonHome, turn, until } from '../support/daemon.ts'
import { A_LOOP } from '../support/loops.ts'
import { itUnless, NO_PROC } from '../support/needs.ts'

let home: DaemonHome

beforeEach(() => {
  home = new DaemonHome()
})
afterEach(() => home.end())

/** Every module that the daemon loads, from its start on; Node’s own ones once it has ended. */
function traced(): () => string {
  const list = join(home.path, 'loaded.txt')
  const trace = join(home.path, 'trace.mjs')
  const code = `import { appendFileSync } from 'node:fs'
    import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => {
      appendFileSync(${JSON.stringify(list)}, url + '\\n')
      return next(url, context)
    } })
    process.on('exit', () => {
      appendFileSync(${JSON.stringify(list)}, String(process.moduleLoadList))
    })`
  writeFileSync(trace, code)
  home.env.NODE_OPTIONS = `--import ${pathToFileURL(trace).href}`
  return () => readFileSync(list, 'utf8')
}

const UNNEEDED = /node_modules\/(ink|react|@xterm|micromark|mdast)[^/\n]*/g

it('[LI7][LP91] a daemon loads Markdown with its first loop, and nothing that draws', async () => {
  const loaded = traced()
  home.write(turn('1', 1))
  await home.start()
  await until('the session is there', async () => (await home.states()).length === 1)
  expect(loaded()).toContain('/daemon/')
  expect(loaded().match(UNNEEDED)).toBeNull()
  await home.client.startLoop({ ...A_LOOP, session: 'own-1' })
  await until('Markdown is loaded', () => loaded().includes('/micromark'))
})

it('[LI8] a daemon answers without the HTTP client of Node', async () => {
  const loaded = traced()
  home.write(turn('1', 1))
  const daemon = await home.start()
  await until('the session is there', async () => (await home.states()).length === 1)
  const { client } = home
  await client.look('own-1')
  await client.insightCsv('today', 'UTC', 'projects')
  for await (const events of client.stream()) if (events.length > 0) break
  const { address, key } = await signedIn(home)
  await askPage(address)
  const headers = { authorization: `Bearer ${key}` }
  expect((await askPage(address, { path: '/v1/openapi.json', headers })).status).toBe(200)
  await client.stop('test')
  await daemon.ended
  expect(loaded()).toContain('NativeModule _http_server')
  expect(loaded()).not.toContain('undici')
})

it('[LI9] a daemon has little compiled, and nothing by the larger compiler', async () => {
  const words = ['--trace-opt', COMMAND, 'daemon', '--quiet']
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  const daemon = spawn(process.execPath, words, { env: home.env, stdio: [...stdio] })
  let said = ''
  daemon.stdout.on('data', (part) => (said += part))
  await until('the daemon answers', () => home.announced()?.pid === daemon.pid)
  await Promise.all([once(daemon, 'close'), home.client.stop('test')])
  const [compiled, larger] = [/for optimization to \w+/g, /for optimization to TURBOFAN/g]
  // A daemon with Node's own settings compiles 190 functions, three of them by the larger one.
  expect(said.match(compiled)?.length).toBeLessThan(100)
  expect(said.match(larger)).toBeNull()
})

function startedWith(): readonly string[] {
  return readFileSync(`/proc/${home.announced()?.pid}/cmdline`, 'utf8').split('\0')
}

itUnless(NO_PROC)('[LI7] a daemon that a command starts keeps few young objects', async () => {
  await home.run(['status'])
  expect(startedWith()).toContain(SMALL_HEAP)
})

itUnless(NO_PROC)('[LI7] a daemon that a hook starts keeps few young objects', async () => {
  const hook = writeHook(home.folders, UNNAMED_AGENT, { node: process.execPath, vigil: COMMAND })
  const client = spawn(hook, { env: home.env, stdio: ['pipe', 'ignore', 'inherit'] })
  client.stdin.end('{}\n')
  await until('the hook’s daemon answers', () => home.announced() !== undefined)
  expect(startedWith()).toContain(SMALL_HEAP)
})

itUnless(NO_PROC)('[LI7] a daemon that a holder starts keeps few young objects', async () => {
  const first = await home.start()
  await signedIn(home)
  await until('a holder lives', () => holderOf(home.folders) !== undefined)
  await home.again()
  expect(home.announced()?.pid).not.toBe(first.pid)
  expect(startedWith()).toEqual([...daemonCommand(process.execPath, COMMAND), ''])
  expect(startedWith()).toContain(SMALL_HEAP)
})

it('[LI7] a daemon that a service starts keeps few young objects', () => {
  const { folders, env } = home
  const options = { folders, node: '/node', vigil: '/vigil', port: 1, env }
  expect(unitsOf(options)[SERVICE]).toContain(`"/node" "${SMALL_HEAP}" "/vigil"`)
  const [, words = ''] = /<array>(.*?)<\/array>/s.exec(launchAgentText(options)) ?? []
  expect(words.match(/[^<>]+(?=<\/string>)/g)).toEqual(daemonCommand('/node', '/vigil'))
  expect(words).toContain(SMALL_HEAP)
})
