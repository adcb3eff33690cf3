import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isOldTmux } from '../../src/surfaces/cli/tmux-version.ts'
import { type DaemonHome, until } from '../support/daemon.ts'
import { describeUnless, NO_TMUX } from '../support/needs.ts'
import { Agent, homeFor, setIn, shows } from './agent.ts'
import { PrivateTmux } from './support.ts'

let tmux: PrivateTmux
let home: DaemonHome
beforeEach(() => {
  tmux = new PrivateTmux()
  home = homeFor(tmux, {})
})
afterEach(async () => {
  await home.end()
  await tmux.end()
})

describeUnless(NO_TMUX)('vigil tmux', () => {
  it('[TM24] on shows, status says so, off gives back', async () => {
    tmux.session('work', 2)
    const on = await home.run(['tmux', 'on', '--glyphs', 'ascii', '--template', '{sign}{name}!'])
    expect(on).toMatchObject({ code: 0, stderr: '' })
    expect(on.stdout).toContain('#{@vigil_segment}')
    expect(on.stdout).toContain('vigil next')
    expect(on.stdout).toContain('vigil tmux on --mode marks')
    new Agent(home, tmux, 'work:1').start()
    await shows(tmux, 'work:1', '[+] own1!')
    const status = await home.run(['tmux', 'status'])
    expect(status.stdout).toContain('tmux: on (mode: needs, glyphs: ascii)')
    expect(status.stdout).toContain(`${tmux.socket()} (3.`)
    expect(status.stdout).toContain('2 windows, 1 with an agent’s name')
    const json = JSON.parse((await home.run(['tmux', 'status', '--json'])).stdout)
    // Those in which other tests run agents are found, too.
    const isOwn = ({ socket }: { socket: string }) => socket === tmux.socket()
    expect([json.on, json.servers.find(isOwn)]).toMatchObject([true, { named: 1, byHand: 0 }])
    const off = await home.run(['tmux', 'off'])
    expect(off).toMatchObject({
      code: 0,
      stdout: 'tmux: off; every window has its own name again\n',
    })
    expect(tmux.windowName('work:1')).toBe('own1')
    expect((await home.run(['tmux', 'status'])).stdout).toContain('tmux: off')
  })

  it('[TM24] off gives back what a daemon that is gone has left', async () => {
    tmux.session('work', 2)
    setIn(home, { tmux: { on: true } })
    const daemon = await home.start()
    new Agent(home, tmux, 'work:1').start()
    await shows(tmux, 'work:1', '🤖✅own1')
    await daemon.kill('SIGKILL')
    expect(await home.run(['tmux', 'off'])).toMatchObject({ code: 0 })
    expect(tmux.windowName('work:1')).toBe('own1')
    expect(home.daemons()).toEqual([])
  })

  it('[TM24] keeps what else its settings hold', async () => {
    setIn(home, { notify: { on: false }, tmux: { later: 1 } })
    await home.run(['tmux', 'on', '--mode', 'real-time'])
    const text = readFileSync(join(home.folders.config, 'settings.json'), 'utf8')
    expect(JSON.parse(text)).toEqual({
      notify: { on: false },
      tmux: { later: 1, on: true, mode: 'real-time' },
    })
  })

  it('[TM24] says what it does not know', async () => {
    const wrong = await home.run(['tmux', 'on', '--mode', 'loud'])
    expect(wrong.code).toBe(2)
    setIn(home, { tmux: { on: 3 } })
    const broken = await home.run(['tmux', 'status'])
    expect(broken).toMatchObject({ code: 1 })
    expect(broken.stderr).toContain('tmux.on')
  })
})

describe('no tmux', () => {
  it('[TM25] is said once, and everything else works', async () => {
    home.env.PATH = '/nonexistent'
    expect(await home.run(['tmux', 'on'])).toMatchObject({
      code: 1,
      stderr: 'vigil: tmux is not installed on this machine\n',
    })
    expect((await home.run(['tmux', 'status'])).stdout).toContain(
      'tmux is not installed on this machine',
    )
    tmux.session('work', 2)
    setIn(home, { tmux: { on: true } })
    await home.start()
    const agent = new Agent(home, tmux, 'work:1').start().work()
    const troubles = async () => (await home.client.health()).troubles
    await until('it is said', async () => (await troubles()).join().includes('not installed'))
    agent.work().work()
    await home.taken()
    expect((await home.client.session(agent.id))?.state).toBe('idle')
    expect(home.log().match(/not installed/g)).toHaveLength(1)
  })

  it('[TM25] an old one is refused', () => {
    expect(['tmux 3.1c', 'tmux 2.9'].map(isOldTmux)).toEqual([true, true])
    expect(['tmux 3.2', 'tmux 3.3a', 'tmux 4.0', 'tmux master'].map(isOldTmux)).toEqual([
      false,
      false,
      false,
      false,
    ])
  })
})
