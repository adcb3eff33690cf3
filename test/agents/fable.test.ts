import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { COMMAND } from '../../src/client/start.ts'
import { readRecording, reportsOf } from '../../src/recording/read.ts'
import { loopback } from '../notify/loopback.ts'
import { type DaemonHome, until } from '../support/daemon.ts'
import { describeUnless, NO_TMUX } from '../support/needs.ts'
import { homeFor, setIn } from '../tmux/agent.ts'
import { PrivateTmux } from '../tmux/support.ts'
import { fableIn, Teller } from './teller.ts'

let tmux: PrivateTmux
let home: DaemonHome
let fableHome: string
let server: Awaited<ReturnType<typeof loopback>>

beforeEach(async () => {
  tmux = new PrivateTmux()
  server = await loopback()
  const channel = { name: 'c', kind: 'slack', url: server.url('/'), projects: ['place-told'] }
  home = homeFor(tmux, { tmux: { on: true }, notify: { on: true, channels: [channel] } })
  fableHome = fableIn(home)
  tmux.session('work')
})
afterEach(async () => {
  await home.end()
  await tmux.end()
  server.close()
})

const vigil = async (...args: string[]) => {
  const { code, stdout, stderr } = await home.run(args)
  expect({ args, code, stderr }).toMatchObject({ code: 0 })
  return stdout
}
const filesOf = () => ['hooks.conf', 'trust.conf'].map((file) => read(join(fableHome, file)))

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return 'not there'
  }
}

/** Installed and started, a turn under way. */
async function heardByHook(teller: Teller): Promise<void> {
  await until('its hook reports', async () => {
    return (await home.client.explain(teller.tale))?.heard.hook !== undefined
  })
}

/** Installed, started, and asking its user for something. */
async function asking(): Promise<Teller> {
  await vigil('install', '--agent', 'fable')
  await home.start()
  const teller = new Teller(home, tmux, 'told')
  teller.types('tell a tale')
  await heardByHook(teller)
  teller.types('ask write it down')
  // Its title says so first, its hook a moment later what it asks for.
  await until('it asks', async () => {
    const { state, request } = (await teller.session()) ?? {}
    return state === 'waiting' && request?.tool === 'quill'
  })
  return teller
}

describeUnless(NO_TMUX)('an agent of one folder and one line', () => {
  it('[AG9] is found and judged by process, title and log, nothing installed', async () => {
    await home.start()
    const teller = new Teller(home, tmux, 'told')
    await teller.becomes('idle')
    teller.types('tell a tale')
    await teller.becomes('working')
    await until('every source has told', async () => {
      const heard = Object.keys((await home.client.explain('told'))?.heard ?? {})
      return ['process', 'title', 'transcript'].every((source) => heard.includes(source))
    })
    const session = await teller.session()
    expect(session).toMatchObject({ id: 'told', agent: 'fable', pid: teller.pid })
    expect(session).toMatchObject({ tmuxPane: teller.pane, project: 'place-told' })
    const { heard, grounds } = (await home.client.explain('told')) ?? {}
    expect(heard).not.toHaveProperty('hook')
    expect(grounds?.length).toBeGreaterThan(0)
    teller.types('say Once upon a time')
    await until('it is read', async () => {
      return (await home.client.talk('told'))?.said.includes('Once upon a time')
    })
    teller.types('stop')
    await teller.becomes('idle')
    tmux.run(['kill-pane', '-t', teller.pane])
    await teller.becomes('closed')
  })

  it('[AG9] is installed, listed and looked at, and all of it is taken back', async () => {
    writeFileSync(join(fableHome, 'hooks.conf'), '# mine\n')
    const entry = async () => JSON.parse(await vigil('agents', '--json')).at(-1)
    expect(await entry()).toMatchObject({ agent: 'fable', version: '2.0.0', heardAt: null })
    expect(await vigil('install', '--agent', 'fable')).toContain('Fable')
    await home.start()
    const { stdout } = await home.run(['doctor', '--agent', 'fable'])
    expect(stdout).toMatch(/hooks .*4 events/)
    const teller = new Teller(home, tmux, 'told')
    teller.types('tell a tale')
    await heardByHook(teller)
    expect(await entry()).toMatchObject({ found: true, heardAt: expect.any(Number) })
    expect(await vigil('agents')).toMatch(/Fable .*2\.0\.0/)
    teller.types('quit')
    await teller.becomes('closed')
    await until('its last word', async () =>
      (await vigil('why', 'told')).includes('closed the book'),
    )
    await vigil('uninstall', '--agent', 'fable')
    expect(filesOf()).toEqual(['# mine\n', 'not there'])
  })

  it('[AG9] is shown on every surface', async () => {
    const teller = await asking()
    const request = { tool: 'quill', text: 'write it down' }
    expect(await teller.session()).toMatchObject({ pid: teller.pid, for: 'permission', request })
    expect(await vigil('status')).toMatch(/place-told .*waiting/)
    // Beside the hook it is a reason only if it was seen after it: on a busy machine it may not be.
    await until('its title', async () => /^ {2}title +\d/m.test(await vigil('why', 'told')))
    await until('tmux', () => tmux.ask(teller.pane, '#{@vigil_state}') === 'waiting')
    await until('the notification', () => server.asked.length > 0)
    expect(server.asked[0]?.body).toMatch(/place-told: waiting for permission/)
    const env = Object.entries(home.env).flatMap(([name, value]) => ['-e', `${name}=${value}`])
    const view = `'${process.execPath}' '${COMMAND}'`
    tmux.run(['new-session', '-d', '-s', 'view', '-x', '120', '-y', '30', ...env, view])
    const shown = () => tmux.run(['capture-pane', '-p', '-t', 'view'])
    await until('the view', () => /place-told +waiting/.test(shown()) && shown().includes('quill'))
  })

  it('[AG9] is answered in its own words, and as its user answers in its terminal', async () => {
    const teller = await asking()
    await until('it can be answered', async () => (await teller.session())?.asks.length === 1)
    const [, code = ''] = /--request (\w+)/.exec(await vigil('answer', 'told')) ?? []
    await vigil('answer', 'told', 'allow', '--request', code)
    await until('it heard', () => teller.noted('leave').length === 1)
    expect(teller.noted('leave')).toEqual(['{"leave":"given"}'])
    await teller.becomes('working')
  })

  it('[AG9] what was seen of it is exported, and played as it was', async () => {
    // It hears its user when its hooks have ended.
    setIn(home, { answers: { on: false } })
    await until('no hook waits', () => !home.hooksWait())
    const teller = await asking()
    teller.types('yes')
    await teller.becomes('working')
    teller.types('stop')
    await teller.becomes('idle')
    const file = join(home.path, 'told.jsonl')
    await vigil('export', 'told', '--full', '--output', file)
    const reports = reportsOf(readRecording(file, readFileSync(file, 'utf8')))
    expect(new Set(reports.map(({ agent }) => agent))).toEqual(new Set(['fable']))
    const states = (await vigil('replay', file, '--json')).trim().split('\n')
    const played = states.map((line) => JSON.parse(line)).map(({ state }) => state)
    expect(played.slice(-4)).toEqual(['working', 'waiting', 'working', 'idle'])
  })
})
