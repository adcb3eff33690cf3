import { spawn } from 'node:child_process'
import { chownSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { nameBytesOf, tmuxQuoted } from '../../src/tmux/quote.ts'
import type { TmuxServer } from '../../src/tmux/server.ts'
import { TmuxServers } from '../../src/tmux/servers.ts'
import { runTmux } from '../../src/tmux/tmux.ts'
import { until } from '../support/daemon.ts'
import { describeUnless, itUnless, NO_TMUX } from '../support/needs.ts'
import { noSecondUser } from '../support/second-user.ts'
import { PrivateTmux, watchFolder } from './support.ts'

let tmux: PrivateTmux
let servers: TmuxServers
let events: string[]
beforeEach(() => {
  tmux = new PrivateTmux()
  events = []
})
afterEach(async () => {
  servers?.close()
  await tmux.end()
})

function follow(): TmuxServers {
  servers = new TmuxServers({
    env: { TMUX_TMPDIR: tmux.tmpdir },
    watch: watchFolder,
    onServer: (server) => {
      events.push(`+${server.socket.split('/').at(-1)}`)
      server.listen({
        onNotice: (name, rest) => events.push(`${name} ${rest}`),
        onAttached: () => events.push('attached'),
      })
    },
    onGone: (server) => events.push(`-${server.socket.split('/').at(-1)}`),
  })
  return servers
}

const attached = (is: boolean) => until('attached or not', () => theOne().attached === is)
const theOne = (): TmuxServer => servers.at(tmux.socket()) as TmuxServer

describeUnless(NO_TMUX)('tmux servers', () => {
  it('[TM4] are found as they come and go, their sockets where tmux puts them', async () => {
    tmux.session('one')
    follow()
    expect(events).toEqual(['+main'])
    tmux.session('two', 1, tmux.socket('other'))
    await until('the other is found', () => events.includes('+other'))
    events.length = 0
    // A socket outlives its server; the next one puts its own in its place.
    await tmux.killServer(tmux.socket('other'))
    tmux.session('three', 1, tmux.socket('other'))
    await until('the next is found', () => events.includes('+other'))
    expect(events).toContain('-other')
    expect(servers.all()).toHaveLength(2)
    await tmux.killServer(tmux.socket('other'))
    rmSync(tmux.socket('other'))
    await until('the session is gone', () => servers.all().length === 1)
  })

  it('[TM38] that have ended are asked once, though their sockets stay', async () => {
    tmux.session('one')
    await tmux.killServer()
    follow()
    await expect(theOne().ask('list-panes -a')).rejects.toThrow('no server running')
    vi.stubEnv('PATH', '/nonexistent')
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(theOne().ask('list-panes -a')).rejects.toThrow('no server running')
  })

  it('[TM38] that do not answer yet are asked again', async () => {
    tmux.session('gone')
    await tmux.killServer()
    tmux.session('one', 1, tmux.socket('other'))
    follow()
    const asked = theOne().ask("display-message -p '#{session_name}'")
    await sleep(200)
    renameSync(tmux.socket('other'), tmux.socket())
    expect(await asked).toEqual(['one'])
  })

  it('[TM4] elsewhere are found when a session names them', async () => {
    const socket = join(tmux.tmpdir, 'elsewhere')
    tmux.session('one', 1, socket)
    follow()
    expect(servers.all()).toEqual([])
    expect(await servers.name(socket)?.ask("display-message -p '#{session_name}'")).toEqual(['one'])
    await tmux.killServer(socket)
    rmSync(socket)
    await until('the session is gone', () => events.includes('-elsewhere'))
  })

  it('[TM5] nothing that is no socket of ours is one, and none is started', async () => {
    writeFileSync(tmux.socket('file'), '')
    tmux.session('one')
    follow()
    expect(events).toEqual(['+main'])
    const server = theOne()
    await tmux.killServer()
    for (const line of ['list-sessions', 'new-session -d', 'start-server'])
      await expect(server.ask(line)).rejects.toThrow()
    expect(() => tmux.run(['-N', 'list-sessions'])).toThrow()
  })

  it('[TM6] have no client of vigil’s while no user is attached', async () => {
    tmux.session('one')
    follow()
    await theOne().settled()
    expect(await theOne().ask("list-sessions -F '#{session_attached}'")).toEqual(['0'])
    expect(tmux.controls()).toBe(0)
  })

  it('[TM6] have one while a user is, and it leaves with the last user', async () => {
    tmux.session('one')
    follow()
    const first = await tmux.attach('one')
    await attached(true)
    const second = await tmux.attach('one')
    await first.leave()
    await until('the first has left', () => tmux.clients() === 1)
    await sleep(100)
    expect([theOne().attached, tmux.controls()]).toEqual([true, 1])
    await second.leave()
    await attached(false)
    await until('ours has left', () => tmux.controls() === 0)
  })

  it('[TM6] do not take the client of another vigil for a user', async () => {
    tmux.session('one')
    const person = await tmux.attach('one')
    const args = ['-S', tmux.socket(), '-C', 'attach', '-f', 'no-output,ignore-size']
    const other = spawn('tmux', args, { env: tmux.env() })
    onTestFinished(() => void other.kill())
    follow()
    await attached(true)
    await until('both are there', () => tmux.controls() === 2)
    await person.leave()
    await attached(false)
  })

  it('[TM6] have it where the people are', async () => {
    tmux.session('one')
    tmux.session('two')
    const person = await tmux.attach('one')
    follow()
    await attached(true)
    person.type('\x02)')
    const where = () => tmux.run(['list-sessions', '-F', '#{session_name}#{session_attached}'])
    await until('both have gone', () => where() === 'one0\ntwo2')
    expect(tmux.controls()).toBe(1)
  })

  it('[TM7] are neither resized nor given our environment', async () => {
    tmux.session('one')
    tmux.session('two')
    await tmux.attach('one')
    tmux.run(['set-environment', '-t', 'one', 'DISPLAY', ':7'])
    const seen = () => [
      tmux.run(['list-windows', '-a', '-F', '#{window_width}x#{window_height}']),
      tmux.run(['show-environment', '-t', 'one']),
    ]
    const before = seen()
    follow()
    await attached(true)
    await sleep(100)
    expect(seen()).toEqual(before)
  })

  it('[TM8] keep their client when the session it is attached to ends', async () => {
    tmux.session('one')
    tmux.session('two')
    await tmux.attach('one')
    follow()
    await attached(true)
    await tmux.attach('two')
    tmux.run(['kill-session', '-t', 'one'])
    await until('it is back', () => theOne().attached && tmux.controls() === 1)
    events.length = 0
    tmux.run(['rename-window', '-t', 'two', 'heard'])
    await until('it hears', () => events.some((line) => line.endsWith(' heard')))
  })

  it('[TM8] keep it when a user detaches all others', async () => {
    tmux.session('one')
    await tmux.attach('one')
    follow()
    await attached(true)
    const own = theOne().ownPid
    const [tty = ''] = tmux.run(['list-clients', '-F', '#{client_tty}']).split('\n').filter(Boolean)
    tmux.run(['detach-client', '-a', '-t', tty])
    await until('another came', () => theOne().attached && theOne().ownPid !== own)
  })

  it('[TM9] tell of windows of every session', async () => {
    tmux.session('one')
    tmux.session('two')
    await tmux.attach('one')
    follow()
    await attached(true)
    tmux.run(['rename-window', '-t', 'two', 'new  name'])
    await until('told', () => events.some((line) => line.endsWith(' new  name')))
  })
})

describeUnless(NO_TMUX)('asking a tmux server', () => {
  const NAMES = [
    '#{window_id} #(date) ##[x] #[fg=red] #S #,#}',
    `it's "quoted" \\ $HOME ~ ; {} %H`,
    'tab\tnewline\nescape\x1b[31m',
    '🤖✅ é \u202e',
    'x'.repeat(500),
    '~',
    '-n',
    '',
  ]

  it.each([true, false])('[TM1][TM2] a name survives, attached: %s', async (isAttached) => {
    tmux.session('one')
    if (isAttached) await tmux.attach('one')
    follow()
    await attached(isAttached)
    const shown = () => theOne().ask("display-message -p -t one '#{window_name}'")
    for (const name of [...NAMES, Uint8Array.of(0x61, 0xff, 0xe9)]) {
      await write(name)
      const [first = ''] = await shown()
      await write(nameBytesOf(first))
      expect(await shown()).toEqual([first])
    }
    async function write(name: string | Uint8Array) {
      await theOne().ask(`set -w -t one @n ${tmuxQuoted(name)} ; rename-window -t one -- '#{@n}'`)
    }
  })

  it.each([true, false])('[TM10] an error is the line’s own, attached: %s', async (isAttached) => {
    tmux.session('one')
    if (isAttached) await tmux.attach('one')
    follow()
    await attached(isAttached)
    const answers = await Promise.allSettled([
      theOne().ask("display-message -p '1' ; display-message -p '2'"),
      theOne().ask('select-window -t @99 ; display-message -p never'),
      theOne().ask('no-such-command'),
      theOne().ask("if -F 1 { select-window -t @99 } ; display-message -p '3'"),
      theOne().ask("display-message -p '4'"),
    ])
    const said = answers.map((answer) =>
      answer.status === 'fulfilled' ? answer.value.join(' ') : 'failed',
    )
    expect(said).toEqual(['1 2', 'failed', 'failed', 'failed', '4'])
  })

  it('[TM11] a server that does not answer is left, and taken up when it does', async () => {
    tmux.session('one')
    await tmux.attach('one')
    follow()
    await attached(true)
    const pid = Number(tmux.ask('one', '#{pid}'))
    process.kill(pid, 'SIGSTOP')
    try {
      await expect(theOne().ask("display-message -p 'x'")).rejects.toThrow(
        'its tmux client has ended',
      )
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await until('it is back', () => theOne().attached, 15_000)
    expect(await theOne().ask("display-message -p 'x'")).toEqual(['x'])
  }, 30_000)

  it('[TM11] one that is killed fails what was asked of it', async () => {
    tmux.session('one')
    await tmux.attach('one')
    follow()
    await attached(true)
    const asked = Array.from({ length: 5 }, () => theOne().ask('list-windows -a'))
    spawn('kill', ['-9', tmux.ask('one', '#{pid}')])
    asked.push(...Array.from({ length: 50 }, () => theOne().ask('run-shell "sleep 1"')))
    const ends = await Promise.allSettled(asked)
    expect(ends.at(-1)?.status).toBe('rejected')
  })
})

itUnless(NO_TMUX ?? noSecondUser)('[BR10] a server of another user is not asked', async () => {
  tmux.session('work')
  const link = join(tmux.tmpdir, 'link')
  symlinkSync(tmux.socket(), link)
  for (const socket of [tmux.socket(), link])
    expect(await runTmux(socket, 'list-sessions -F "#{session_name}"')).toEqual(['work'])
  chownSync(tmux.socket(), 65_534, 65_534)
  for (const socket of [tmux.socket(), link])
    await expect(runTmux(socket, 'list-sessions')).rejects.toThrow(/nonexistent/)
  chownSync(tmux.socket(), 0, 0)
})
