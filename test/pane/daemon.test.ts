import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ask, open } from '../../src/client/ask.ts'
import type { ScreenEvent } from '../../src/protocol/pane.ts'
import { type DaemonHome, OWN, type Running, turn, until } from '../support/daemon.ts'
import { describeUnless, NO_TMUX } from '../support/needs.ts'
import { Agent, homeFor } from '../tmux/agent.ts'
import { PrivateTmux } from '../tmux/support.ts'
import { type IdleClient, idleClient } from './idle-client.ts'

let tmux: PrivateTmux
let home: DaemonHome
let daemon: Running
let client: IdleClient
let agent: Agent
const streams = new Set<IncomingMessage>()
beforeEach(async () => {
  tmux = new PrivateTmux()
  if (NO_TMUX) return
  home = homeFor(tmux, {})
  client = await idleClient(tmux)
  daemon = await home.start()
  agent = new Agent(home, tmux, client.pane).start()
  await home.taken()
})
afterEach(async () => {
  for (const stream of streams) stream.destroy()
  await home?.end()
  await tmux.end()
})

const pathOf = (part: string, id = agent.id) => `/v1/sessions/${encodeURIComponent(id)}/${part}`
const jumped = (id = agent.id) =>
  ask(home.folders, { method: 'POST', path: pathOf('jump', id), body: {}, silenceMaxMs: 10_000 })

async function view() {
  const response = await open(home.folders, { path: pathOf('screen'), silenceMaxMs: 60_000 })
  streams.add(response)
  const news: ScreenEvent[] = []
  let rest = ''
  let isOver = false
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const blocks = (rest + chunk).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (data !== undefined) news.push(JSON.parse(data))
    }
  })
  response.on('error', () => {})
  response.on('close', () => {
    isOver = true
  })
  return { status: response.statusCode, news, isOver: () => isOver, end: () => response.destroy() }
}

/** As a program that has the token asks on loopback; the status of the answer. */
async function overTcp(part: string, body: object): Promise<number> {
  const { address } = await home.client.health()
  // Browsers resolve the page's own name, the system may not.
  const { port } = new URL(address ?? '')
  const text = JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${readFileSync(home.folders.token, 'utf8').trim()}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'x-vigil': '1',
  }
  const at = { host: '127.0.0.1', port, path: pathOf(part), method: 'POST', headers }
  return new Promise((resolve, reject) => {
    const sent = request(at, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

const acts = async () => {
  const noted = (await home.client.acts({ session: agent.id })).acts
  return noted.map(({ who, where, what, words }) => `${who}, ${where}: ${what} ${words}`)
}

describeUnless(NO_TMUX)('through the daemon', () => {
  it('[PA1][PA7] its screen is streamed to several, and ends with the daemon', async () => {
    const [one, two] = [await view(), await view()]
    expect(one.status).toBe(200)
    await until('both have seen it', () => one.news.length > 1 && two.news.length > 1)
    const [screen, typing] = one.news
    expect(screen).toMatchObject({ kind: 'screen', width: 80, height: 24 })
    expect(JSON.stringify(screen)).toContain('● Hello.')
    expect(typing).toMatchObject({ kind: 'typing', on: false })
    two.end()
    await home.client.setTyping(agent.id, true)
    await until('it is reported', () => one.news.at(-1)?.kind === 'typing')
    await daemon.kill('SIGTERM')
    await until('it is over', () => one.isOver())
  })

  it('[PA24] its present lines are sent, and nothing is typed', async () => {
    const { rows, session } = await home.client.paneLines(agent.id)
    expect(session).toBe(agent.id)
    expect(rows.length).toBeGreaterThanOrEqual(24)
    expect(rows.join('\n')).toContain('● Hello.')
    expect(client.sent()).toEqual([])
    tmux.run(['respawn-pane', '-k', '-t', client.pane, 'sleep 100'])
    await until('another program is there', async () => {
      const why = await home.client.paneLines(agent.id).catch((error: Error) => error.message)
      return typeof why === 'string' && /runs another program|is not in tmux/.test(why)
    })
    await expect(home.client.paneLines('nobody')).rejects.toThrow(/no such session/)
  })

  it('[PA6] what cannot be shown is refused, and why is said', async () => {
    const response = await open(home.folders, {
      path: '/v1/sessions/nobody/screen',
      silenceMaxMs: 5_000,
    })
    response.resume()
    expect(response.statusCode).toBe(404)
    tmux.run(['set', '-g', 'remain-on-exit', 'on'])
    const watched = await view()
    tmux.run(['respawn-pane', '-k', '-t', client.pane, 'sleep 1000'])
    await until('it is over', () => watched.news.at(-1)?.kind === 'over')
    expect((await view()).status).toBe(409)
  })

  it('[PA8][PA9] say and interrupt by commands, behind the switch, all of it noted', async () => {
    const say = () => home.run(['say', agent.id, 'go', 'on;'])
    const refused = await say()
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toBe(
      `vigil: typing is off; turn it on with \`vigil typing ${agent.id.slice(0, 8)} on\`\n`,
    )
    expect(client.sent()).toEqual([])
    const on = await home.run(['typing', agent.id, 'on'])
    expect(on).toMatchObject({
      code: 0,
      stdout: 'engine: typing is on, by the user, over the socket\n',
    })
    expect(await say()).toMatchObject({ code: 0, stdout: 'engine: told\n' })
    await until('it is reported', () => client.sent().length === 1)
    expect(client.sent()).toEqual(['go on;'])
    const idle = await home.run(['interrupt', agent.id])
    expect(idle).toMatchObject({ code: 2, stderr: expect.stringContaining('it is idle;') })
    agent.prompt()
    await until('it works', async () => (await home.states()).includes(`${agent.id} working`))
    expect(await say()).toMatchObject({ code: 0, stdout: 'engine: queued\n' })
    const interrupted = home.run(['interrupt', agent.id, '--json'])
    await until('Escape is noted', async () => (await acts())[0]?.endsWith('Escape'))
    agent.stop()
    expect(JSON.parse((await interrupted).stdout)).toMatchObject({ done: true })
    const off = await home.run(['typing', agent.id, 'off', '--json'])
    expect(JSON.parse(off.stdout)).toMatchObject({
      session: agent.id,
      on: false,
      since: null,
      by: null,
    })
    const me = 'the user, over the socket, cli'
    expect((await acts()).toReversed()).toEqual([
      `${me}: typing allowed typing`,
      `${me}: prompt go on;`,
      `${me}: prompt go on;`,
      `${me}: interrupt Escape`,
      `${me}: typing ended typing`,
    ])
  })

  it('[PA20] only a person can make the terminal show it', async () => {
    // Without vigil's own, which reads the screen.
    const format = '#{?client_control_mode,,#{pane_id}}'
    const shown = () => tmux.run(['list-clients', '-F', format]).trim()
    await expect(jumped()).rejects.toThrow(/no terminal is attached to its tmux/)
    const session = tmux.ask(client.pane, '#{session_name}')
    const other = tmux.run([
      'new-window',
      '-t',
      `${session}:`,
      '-P',
      '-F',
      '#{pane_id}',
      'sleep 100',
    ])
    await tmux.attach(session)
    await until('another window is shown', () => shown() === other.trim())
    expect(await overTcp('jump', {})).toBe(403)
    expect(shown()).toBe(other.trim())
    await jumped()
    expect(shown()).toBe(client.pane)
    expect(client.sent()).toEqual([])
    await expect(jumped('nobody')).rejects.toThrow(/no such session/)
  })

  it('[PA8] is off after a restart, and when the session ends', async () => {
    await home.client.setTyping(agent.id, true)
    await daemon.kill('SIGKILL')
    daemon = await home.start()
    expect((await home.client.typing(agent.id)).on).toBe(false)
    await home.client.setTyping(agent.id, true)
    agent.hook('SessionEnd', { reason: 'exit' })
    await until('it is off', async () => !(await home.client.typing(agent.id)).on)
    expect((await acts())[0]).toBe('vigil, daemon: typing ended typing: its session has ended')
  })

  it('[PA8] the token over TCP types nothing, and turns nothing on', async () => {
    const where = 'cli'
    expect(await overTcp('typing', { on: true, where })).toBe(403)
    await home.client.setTyping(agent.id, true)
    expect(await overTcp('keys', { keys: [{ text: 'x' }], where })).toBe(403)
    expect(await overTcp('prompt', { text: 'x', where })).toBe(403)
    expect(await overTcp('interrupt', { where })).toBe(403)
    expect([client.sent(), (await acts()).length]).toEqual([[], 1])
  })

  it('[PA21] --all is every session that is open in tmux, and no other', async () => {
    home.write(turn('outside', 1))
    await until('it is there', async () => (await home.states()).length === 2)
    const on = await home.run(['typing', '--all', 'on'])
    // Other clients of this machine may be in tmux, too.
    const own = on.stdout.split('\n').filter((line) => line.startsWith('engine'))
    expect([on.code, own]).toEqual([0, ['engine: typing is on, by the user, over the socket']])
    expect((await home.client.typing(agent.id)).on).toBe(true)
    const { stdout } = await home.run(['typing', '--all', 'off', '--json'])
    const off: { session: string }[] = JSON.parse(stdout)
    const isOwn = ({ session }: { session: string }) => session.startsWith(OWN)
    expect(off.filter(isOwn)).toMatchObject([{ session: agent.id, on: false }])
    expect((await acts()).length).toBe(2)
  })

  it('[PA15] agents cannot run them', async () => {
    home.env.CLAUDECODE = '1'
    for (const args of [
      ['typing', agent.id, 'on'],
      ['typing', '--all', 'on'],
      ['say', agent.id, 'x'],
      ['interrupt', agent.id],
    ])
      expect(await home.run(args)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('this command runs inside an agent'),
      })
    expect(await home.run(['typing', agent.id])).toMatchObject({ code: 0 })
    expect(await home.run(['typing', '--all'])).toMatchObject({ code: 0 })
    expect(await acts()).toEqual([])
  })
})
