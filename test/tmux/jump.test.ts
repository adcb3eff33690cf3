import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { jumpTo } from '../../src/tmux/jump.ts'
import { type DaemonHome, until } from '../support/daemon.ts'
import { describeUnless, NO_TMUX } from '../support/needs.ts'
import { aSession } from '../support/sessions.ts'
import { Agent, homeFor } from './agent.ts'
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

/** Where the people at a server are: session, window, pane. */
function where(socket = tmux.socket()): string {
  const format = '#{?client_control_mode,,#{session_name}:#{window_index}.#{pane_index}}'
  return tmux.run(['list-clients', '-F', format], socket).trim()
}

const sessionAt = (target: string, socket = tmux.socket()) =>
  aSession({ id: 'one', tmuxSocket: socket, tmuxPane: tmux.ask(target, '#{pane_id}', socket) })

const within = (session: string, socket = tmux.socket()) => ({
  TMUX: `${socket},1,${tmux.ask(session, '#{session_id}', socket).slice(1)}`,
})

describeUnless(NO_TMUX)('jumping', () => {
  it('[TM26] goes to another window, pane and session', async () => {
    tmux.session('one', 2)
    tmux.session('two', 3)
    tmux.run(['split-window', '-d', '-t', 'two:2', 'sleep 1000'])
    await tmux.attach('one')
    expect(await jumpTo(sessionAt('one:1'), within('one'))).toBeUndefined()
    expect(where()).toBe('one:1.0')
    expect(await jumpTo(sessionAt('two:2.1'), within('one'))).toBeUndefined()
    expect(where()).toBe('two:2.1')
  })

  it('[TM26] goes to another server, and comes back', async () => {
    const other = tmux.socket("o'ther")
    tmux.session('one')
    tmux.session('far', 3, other)
    const person = await tmux.attach('one')
    expect(await jumpTo(sessionAt('far:2', other), within('one'))).toBeUndefined()
    await until('it is there', () => where(other) === 'far:2.0')
    expect(where()).toBe('')
    person.type('\x02d')
    await until('it is back', () => where() === 'one:0.0')
  })

  it('[PF5] goes there by the machine’s own tmux, whatever the user’s PATH', async () => {
    const bin = join(tmux.tmpdir, 'node_modules/.bin')
    const [mark, { PATH = '' }] = [join(tmux.tmpdir, 'mark'), process.env]
    mkdirSync(bin, { recursive: true })
    const other = tmux.socket('other')
    tmux.session('one')
    tmux.session('far', 3, other)
    process.env.PATH = `${bin}:${PATH}`
    onTestFinished(() => {
      process.env.PATH = PATH
    })
    const person = await tmux.attach('one')
    writeFileSync(join(bin, 'tmux'), `#!/bin/sh\necho >'${mark}'\n`, { mode: 0o755 })
    process.env.PATH = PATH
    expect(await jumpTo(sessionAt('far:2', other), within('one'))).toBeUndefined()
    await until('it is there', () => where(other) === 'far:2.0' || existsSync(mark))
    person.type('\x02d')
    await until('it is back', () => where() === 'one:0.0' || existsSync(mark))
    expect(existsSync(mark)).toBe(false)
  })

  it('[TM26] from outside shows it where a user is attached, or says how to attach', async () => {
    tmux.session('one', 3)
    const nobody = await jumpTo(sessionAt('one:2'), {})
    expect(nobody).toContain(`tmux -S ${tmux.socket()} attach-session -t %2`)
    const asked: string[][] = []
    const attachHere = async (args: readonly string[]) => asked.push([...args]) - 1
    expect(await jumpTo(sessionAt('one:2'), {}, { attachHere })).toBeUndefined()
    expect(asked[0]?.slice(-2)).toEqual(['-t', '%2'])
    await tmux.attach('one')
    expect(await jumpTo(sessionAt('one:2'), {})).toBeUndefined()
    expect(where()).toBe('one:2.0')
  })

  it('[TM26] says why it cannot', async () => {
    tmux.session('one', 2)
    const session = sessionAt('one:1')
    tmux.run(['kill-window', '-t', 'one:1'])
    expect(await jumpTo(session, {})).toMatch(/can't find pane|its pane is closed/)
    expect(await jumpTo({ ...session, tmuxSocket: tmux.socket('none') }, {})).toContain('tmux:')
    expect(await jumpTo({ ...session, tmuxPane: null, tty: 'pts/3' }, {})).toContain('pts/3')
    expect(await jumpTo({ ...session, tmuxPane: '; kill-server' }, {})).toContain(
      'is not a tmux pane',
    )
  })
})

describeUnless(NO_TMUX)('jumping to a detached session', () => {
  const detached = (attach: string | null = 'sleep 1000') =>
    aSession({ id: 'one', state: 'working', detached: true, attach, cwd: '/tmp' })

  it('[TM36] attaches it in a new window, in its folder', async () => {
    tmux.session('one', 2)
    await tmux.attach('one')
    expect(await jumpTo(detached(), within('one'))).toBeUndefined()
    expect(where()).toBe('one:2.0')
    const format = '#{pane_current_path} #{pane_start_command}'
    expect(tmux.ask('one:2', format)).toMatch(/^\/tmp "?exec sleep 1000"?$/)
  })

  it('[TM36] attaches it in this terminal outside tmux, or prints the command', async () => {
    const done: string[] = []
    const resumeHere = async () => void done.push('here')
    expect(await jumpTo(detached(), {}, { resumeHere: resumeHere as never })).toBeUndefined()
    expect(done).toEqual(['here'])
    expect(await jumpTo(detached(), {})).toContain('attach it again with: sleep 1000')
    expect(await jumpTo(detached(null), { TMUX: '/none,1,0' })).toMatch(/goes on without one$/)
    expect(await jumpTo(detached(), { TMUX: '/none,1,0' })).toContain('tmux:')
  })
})

describeUnless(NO_TMUX)('vigil next', () => {
  it('[TM27] goes to the session that has needed its user longest, then to the next', async () => {
    const other = tmux.socket('other')
    tmux.session('one', 4)
    tmux.session('far', 1, other)
    await tmux.attach('one')
    await tmux.attach('far', other)
    await home.start()
    new Agent(home, tmux, 'one:2', { agoMs: 60_000 }).start().prompt().asks('Bash')
    new Agent(home, tmux, 'one:1', { agoMs: 30_000 }).start().prompt().asks('Bash')
    new Agent(home, tmux, 'one:3').start().prompt()
    await until('both ask', async () => {
      const { sessions } = await home.client.sessions()
      const own = sessions.filter(({ id }) => id.startsWith('own-'))
      return own.length === 3 && own.filter(({ state }) => state === 'waiting').length === 2
    })
    Object.assign(home.env, within('one'))
    const places: string[] = []
    for (let i = 0; i < 3; i++) {
      expect(await home.run(['next'])).toMatchObject({ code: 0, stderr: '' })
      places.push(where())
    }
    expect(places).toEqual(['one:2.0', 'one:1.0', 'one:2.0'])
    expect(await home.run(['jump', 'own-one:3'])).toMatchObject({ code: 0 })
    expect(where()).toBe('one:3.0')
  })

  it('[TM27] says so if no session needs its user', async () => {
    tmux.session('one')
    expect(await home.run(['next'])).toMatchObject({ code: 0, stdout: 'no session needs you\n' })
  })
})
