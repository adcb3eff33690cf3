import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Session } from '../../src/protocol/session.ts'
import { type DaemonHome, until } from '../support/daemon.ts'
import { describeUnless, NO_TMUX } from '../support/needs.ts'
import { screens } from '../support/scene.ts'
import { Agent, homeFor, setIn } from './agent.ts'
import { PrivateTmux } from './support.ts'

const CLEAR = '\x1b[2J\x1b[3J\x1b[H'

/** The real client's, from the recording that shows it. */
function trustDialog(): string {
  const lines = readFileSync('test/recordings/trust_dialog.jsonl', 'utf8').trim().split('\n')
  const reports = lines.map((line) => JSON.parse(line) as { source: string; text?: string })
  return reports.find(({ source, text }) => source === 'screen' && text?.includes('❯'))?.text ?? ''
}

let tmux: PrivateTmux
let home: DaemonHome
let paper: string
let handle: number
beforeEach(async () => {
  tmux = new PrivateTmux()
  home = homeFor(tmux)
  paper = join(tmux.tmpdir, 'paper')
  execFileSync('mkfifo', [paper])
  handle = openSync(paper, constants.O_RDWR)
  tmux.session('work', 2)
})
afterEach(async () => {
  closeSync(handle)
  await home.end()
  await tmux.end()
})

/** A process that is called like the client, and shows what is written onto `paper`. */
function startClient(): number {
  const command = `exec bash -c 'exec -a claude cat ${paper}'`
  tmux.run(['new-window', '-d', '-t', 'work:5', '-n', 'client', command])
  return Number(tmux.ask('work:5', '#{pane_pid}'))
}

function show(text: string): void {
  writeSync(handle, CLEAR + text.trimEnd().replaceAll('\n', '\r\n'))
}

async function sessionOf(pid: number): Promise<Session | undefined> {
  const { sessions } = await home.client.sessions()
  return sessions.find((session) => session.pid === pid)
}

const becomes = (pid: number, state: string) =>
  until(`it is ${state}`, async () => (await sessionOf(pid))?.state === state)

/** As a newer client does, in its registry file. */
async function tellsItsState(pid: number): Promise<void> {
  new Agent(home, tmux, 'work:5').start()
  await until('the hook is heard', async () => (await sessionOf(pid))?.id === 'own-work:5')
  const file = { pid, sessionId: 'own-work:5', status: 'idle', statusUpdatedAt: Date.now() }
  await home.client.post([{ report: { t: Date.now(), source: 'registry', pid, file } }])
  await becomes(pid, 'idle')
  await sleep(300)
}

const told = () => home.query("SELECT count(*) AS n FROM reports WHERE source = 'screen'")[0]?.n

describeUnless(NO_TMUX)('screens', () => {
  it.each([true, false])('[TM29] show an agent before any hook, attached: %s', async (is) => {
    if (is) await tmux.attach('work')
    await home.start()
    // With two of them the owner of the screen could not be guessed.
    tmux.run(['new-window', '-d', '-t', 'work:6', `exec bash -c 'exec -a claude sleep 1000'`])
    const pid = startClient()
    show(trustDialog())
    await becomes(pid, 'waiting')
    const session = await sessionOf(pid)
    expect(session).toMatchObject({ tmuxSocket: tmux.socket(), unread: true })
    expect(session?.tmuxPane).toBe(tmux.ask('work:5', '#{pane_id}'))
    await until('its window says so', () => tmux.ask('work:5', '#{@vigil_state}') === 'waiting')
    show(screens.working())
    await becomes(pid, 'working')
    show(trustDialog())
    await becomes(pid, 'waiting')
  })

  it('[TM29] show the agent in front of another one in its terminal', async () => {
    await home.start()
    const stopped = 'bash -c "exec -a claude sleep 1000" & sleep 1'
    const inFront = `bash -c "exec -a claude cat ${paper}"`
    tmux.run(['new-window', '-d', '-t', 'work:5', `exec bash -mc '${stopped}; ${inFront}; true'`])
    const parent = tmux.ask('work:5', '#{pane_pid}')
    const words = ['-P', parent, '-fx', `claude ${paper}`]
    const client = () => Number(spawnSync('pgrep', words, { encoding: 'utf8' }).stdout)
    await until('it has begun', client)
    show(trustDialog())
    await becomes(client(), 'waiting').finally(() => spawnSync('pkill', ['-P', parent]))
  })

  it('[TM30] are read when they changed, and not while the client tells its state', async () => {
    await tmux.attach('work')
    await home.start()
    const pid = startClient()
    show(trustDialog())
    await becomes(pid, 'waiting')
    await sleep(1_500)
    const before = told()
    await sleep(2_500)
    expect(told()).toBe(before)
    await tellsItsState(pid)
    const after = told()
    show(screens.working())
    await sleep(2_500)
    expect(told()).toBe(after)
  })

  it('[TM29] show a dialog of a client that has hooks, and none for this dialog', async () => {
    await tmux.attach('work')
    await home.start()
    const pid = startClient()
    show(screens.working())
    new Agent(home, tmux, 'work:5').start().prompt().begin('Bash')
    await until('the hook is heard', async () => (await sessionOf(pid))?.id === 'own-work:5')
    await becomes(pid, 'working')
    show(trustDialog())
    await becomes(pid, 'waiting')
    show(screens.working())
    await becomes(pid, 'working')
  })

  it('[TM32] do not keep a daemon that is stopped while it looks for them', async () => {
    setIn(home, { tmux: { on: false } })
    startClient()
    show(trustDialog())
    for (let times = 0; times < 3; times++) {
      const daemon = await home.start()
      await home.client.stop('a test')
      await until('the daemon ends', () => daemon.isOver)
    }
  })

  it.each([true, false])(
    '[TM30] are read on after their user has left, tmux on: %s',
    async (on) => {
      setIn(home, { tmux: { on } })
      const person = await tmux.attach('work')
      await home.start()
      const pid = startClient()
      show(trustDialog())
      await becomes(pid, 'waiting')
      show(screens.working())
      await becomes(pid, 'working')
      // The last look after the last output is over by then.
      await sleep(2_500)
      await person.leave()
      // vigil's client leaves too.
      await sleep(1_500)
      show(trustDialog())
      await becomes(pid, 'waiting')
    },
  )

  it.each([true, false])('[TM29] show an agent in a reused terminal, tmux on: %s', async (on) => {
    setIn(home, { tmux: { on } })
    await home.start()
    const first = startClient()
    show(trustDialog())
    await becomes(first, 'waiting')
    const tty = tmux.ask('work:5', '#{pane_tty}')
    // Another agent keeps the server watched.
    tmux.run(['new-window', '-d', '-t', 'work:6', `exec bash -c 'exec -a claude sleep 1000'`])
    await sleep(2_500)
    tmux.run(['kill-window', '-t', 'work:5'])
    const second = startClient()
    expect(tmux.ask('work:5', '#{pane_tty}')).toBe(tty)
    show(trustDialog())
    await becomes(second, 'waiting')
  })

  it('[TM32] are read while tmux shows nothing, which then stays as it is', async () => {
    setIn(home, { tmux: { on: false } })
    await tmux.attach('work')
    await home.start()
    await sleep(1_500)
    expect(tmux.controls()).toBe(0)
    const pid = startClient()
    show(trustDialog())
    await becomes(pid, 'waiting')
    expect(await sessionOf(pid)).toMatchObject({ for: 'dialog', tmuxSocket: tmux.socket() })
    expect(tmux.ask('work:5', '#{window_name}#{@vigil_state}#{@vigil_segment}')).toBe('client')
    await tellsItsState(pid)
    await until('no server is looked at any more', () => tmux.controls() === 0)
  })

  it('[TM32] are read in a server that its agent alone names', async () => {
    setIn(home, { tmux: { on: false } })
    const elsewhere = join(tmux.tmpdir, 'elsewhere')
    tmux.session('far', 1, elsewhere)
    await home.start()
    const command = `exec bash -c 'exec -a claude cat ${paper}'`
    tmux.run(['new-window', '-d', '-t', 'far:5', command], elsewhere)
    show(trustDialog())
    await becomes(Number(tmux.ask('far:5', '#{pane_pid}', elsewhere)), 'waiting')
  })

  it('[TM30] are not read where their user does not want it', async () => {
    setIn(home, { tmux: { on: true, screens: false } })
    await home.start()
    const pid = startClient()
    show(trustDialog())
    await until('it is found', async () => (await sessionOf(pid)) !== undefined)
    await sleep(2_000)
    expect(told()).toBe(0)
  })
})
