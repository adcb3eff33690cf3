import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { COMMAND } from '../../src/client/start.ts'
import { DaemonHome } from '../support/daemon.ts'

let home: DaemonHome
beforeEach(async () => {
  home = new DaemonHome()
  await home.start()
})
afterEach(() => home.end())

/** Prints, beside the command's own output, every module that it loaded. */
const LISTING = `
  import { registerHooks } from 'node:module'
  const loaded = []
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  process.on('exit', () => process.stderr.write(loaded.join('\\n')))`

async function loadedBy(...args: string[]): Promise<readonly string[]> {
  const listing = `data:text/javascript,${encodeURIComponent(LISTING)}`
  const options = { env: home.env }
  const command = ['--import', listing, COMMAND, ...args]
  const { stderr } = await promisify(execFile)(process.execPath, command, options)
  return stderr.split('\n')
}

it('[CM16] status loads no schema, no parser of options and nothing of the daemon', async () => {
  const heavy = /node_modules|\/src\/(daemon|store|sources|agents)\//
  const quick = await loadedBy('status')
  expect(quick.length).toBeGreaterThan(10)
  expect(quick.filter((url) => heavy.test(url))).toEqual([])
  expect((await loadedBy('status', '--help')).some((url) => heavy.test(url))).toBe(true)
})
