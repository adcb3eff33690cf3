import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { SMALL_HEAP } from '../../src/client/start.ts'
import { DaemonHome, turn, until } from '../support/daemon.ts'
import { A_LOOP } from '../support/loops.ts'
import { itUnless, NO_PROC } from '../support/needs.ts'

let home: DaemonHome

beforeEach(() => {
  home = new DaemonHome()
})
afterEach(() => home.end())

/** Every module that the daemon loads, from its start on. */
function traced(): () => string {
  const list = join(home.path, 'loaded.txt')
  const trace = join(home.path, 'trace.mjs')
  const code = `import { appendFileSync } from 'node:fs'
    import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => {
      appendFileSync(${JSON.stringify(list)}, url + '\\n')
      return next(url, context)
    } })`
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

itUnless(NO_PROC)('[LI7] a daemon that a command starts keeps few young objects', async () => {
  await home.run(['status'])
  const words = readFileSync(`/proc/${home.announced()?.pid}/cmdline`, 'utf8').split('\0')
  expect(words).toContain(SMALL_HEAP)
})
