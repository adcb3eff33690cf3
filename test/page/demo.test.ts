import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { COMMAND } from '../../src/client/start.ts'
import { openBrowser } from '../support/browser.ts'
import { builtPage } from '../support/built-page.ts'
import { DaemonHome, until } from '../support/daemon.ts'
import { DemoPage } from '../support/demo-page.ts'
import { choose, QUIET_MS, WIDE } from '../support/page-stage.ts'

let home: DaemonHome
let temporary: string
const made: string[] = []
let child: ChildProcess | undefined
let said = ''

beforeEach(async () => {
  await builtPage()
  home = new DaemonHome()
  temporary = mkdtempSync(join(tmpdir(), 'vigil-demo-test-'))
  made.push(temporary)
  mkdirSync(join(home.path, 'nobody'))
  said = ''
})
afterEach(async () => {
  child?.kill('SIGKILL')
  await home.end()
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true })
})

/** The command as its user runs it, with a temporary folder of its own to look into. */
function demo(program: string, args: readonly string[]): ChildProcess {
  const env = { ...home.env, TMPDIR: temporary, TERM: 'xterm-256color' }
  child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  return child
}

const isOver = () => child?.exitCode !== null || child.signalCode !== null
const folders = () => readdirSync(temporary).filter((name) => name.startsWith('vigil-demo-'))

const PLAYED = ['compiler', 'payments', 'website']

it('[IN30][IN31] the page on the played sessions, beside the user’s own daemon', async () => {
  const own = await home.start()
  const before = await home.client.health()
  demo(process.execPath, [COMMAND, 'demo', '--page', '--speed', '4'])
  await until('it says where', () => said.includes('#code='))
  const [address = ''] = /http:\/\/\S+\/#code=\S+/.exec(said) ?? []
  expect(folders()).toHaveLength(1)
  expect(statSync(join(temporary, folders()[0] ?? '')).mode & 0o777).toBe(0o700)

  const browser = await openBrowser()
  const page = await browser.newPage(WIDE)
  await page.goto(address)
  for (const name of PLAYED)
    await page.getByTestId('list').getByText(name, { exact: true }).first().waitFor()
  await browser.close()

  child?.kill('SIGTERM')
  await until('it has ended', isOver)
  expect(folders()).toEqual([])
  const after = await home.client.health()
  expect(after.pid).toBe(own.pid)
  expect(after.refused).toEqual(before.refused)
  // Real agents of the machine are found by any daemon; the played ones are in the demo's alone.
  const { sessions } = await home.client.sessions({ all: true })
  expect(sessions.filter(({ project }) => PLAYED.includes(project ?? ''))).toEqual([])
})

it('[IN30] nothing is written but into its own folder, and nothing is left of it', async () => {
  // So deep that no socket can lie there.
  temporary = join(temporary, 'x'.repeat(90))
  mkdirSync(temporary)
  demo(process.execPath, [COMMAND, 'demo', '--page'])
  await until('it says where', () => said.includes('#code='))
  child?.kill('SIGINT')
  await until('it has ended', isOver)
  expect(readdirSync(temporary)).toEqual([])
  expect(readdirSync(join(home.path, 'nobody'))).toEqual([])
  // What any command compiles for itself is kept there.
  expect(readdirSync(home.path).filter((name) => name !== 'cache')).toEqual(['nobody', 'spool'])
  expect(home.daemons()).toEqual([])
})

it('[IN31] on a terminal it is the live view, and leaves nothing when one leaves it', async () => {
  const node = process.execPath
  const command = `stty rows 30 cols 120; '${node}' '${COMMAND}' demo --speed 4`
  demo('script', ['-qfec', command, '/dev/null'])
  await until('the agents are shown', () => ['payments', 'compiler'].every((n) => said.includes(n)))
  expect(said).toContain('\u001b[?1049h')
  expect(folders()).toHaveLength(1)
  child?.stdin?.write('q')
  await until('it has ended', isOver)
  expect(said).toContain('\u001b[?1049l')
  expect(folders()).toEqual([])
  expect(existsSync(home.folders.database)).toBe(false)
})

it('[IN32] what is asked is shown with everything, and answered', async () => {
  const page = new DemoPage()
  await page.begin(0.5)
  try {
    const asking = async () => {
      const { sessions } = await page.stage.client.sessions()
      return sessions.find((session) => session.for === 'question')
    }
    await until('one asks', async () => (await asking()) !== undefined)
    const { id = '' } = (await asking()) ?? {}
    const shown = await page.open('')
    // What is clicked in the first moment of a page does not count.
    await shown.waitForTimeout(QUIET_MS)
    await choose(shown, id)
    const options = shown.getByRole('radio')
    await options.first().check()
    expect(await options.count()).toBeGreaterThan(1)
    await shown.getByRole('button', { name: 'Answer', exact: true }).click()
    await until('it goes on', async () => (await asking())?.id !== id)
  } finally {
    await page.end()
  }
})
