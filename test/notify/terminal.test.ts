import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { terminalChannel } from '../../src/surfaces/notify/channels/terminal.ts'
import { lookedAt } from '../../src/surfaces/notify/looking.ts'
import { messageOf } from '../../src/surfaces/notify/message.ts'
import { sequenceOf } from '../../src/surfaces/notify/sequences.ts'
import { clientsOf } from '../../src/surfaces/notify/tmux-clients.ts'
import { until } from '../support/daemon.ts'
import { contextWith } from './context.ts'
import { loopback } from './loopback.ts'
import { sessionWith } from './support.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-terminal-'))
const socket = join(folder, 'tmux')
const { env } = process
const never = new AbortController().signal
const tmux = (...args: string[]) =>
  execFileSync('tmux', ['-u', '-f', '/dev/null', '-S', socket, ...args], {
    encoding: 'utf8',
  }).trim()
const children: ChildProcess[] = []

/** A terminal of its own, and everything that was ever written to it. */
function terminal(name: string, command: string, term: string) {
  const log = join(folder, name)
  const args = ['-q', '-f', '-c', command, log]
  const stdio = ['pipe', 'ignore', 'ignore'] as const
  children.push(spawn('script', args, { env: { ...env, TERM: term }, stdio: [...stdio] }))
  return () => (existsSync(log) ? readFileSync(log, 'utf8') : '')
}

const within = (pane: string, id = 'in-tmux') =>
  sessionWith({ id, tmuxSocket: socket, tmuxPane: pane })
const said = (session: ReturnType<typeof sessionWith>) =>
  messageOf('id-1', 0, [session], { hideSecrets: false })

let outer: () => string
beforeAll(async () => {
  tmux('new-session', '-d', '-s', 'a', '-x', '80', '-y', '24', 'cat')
  tmux('new-window', '-d', '-t', 'a', 'cat')
  outer = terminal('outer', `tmux -u -S ${socket} attach -t a`, 'xterm-256color')
  await until('a terminal shows tmux', async () => (await clientsOf(socket, env, never)).length > 0)
})

afterAll(() => {
  tmux('kill-server')
  for (const child of children) child.kill()
  rmSync(folder, { recursive: true, force: true })
})

describe('a terminal', () => {
  it('[NO14] outside tmux is written to by its own name', async () => {
    const log = terminal('plain', `tty > ${folder}/tty; sleep 60`, 'xterm-kitty')
    const name = () => readFileSync(join(folder, 'tty'), 'utf8').trim()
    await until('it has a name', () => existsSync(join(folder, 'tty')) && name() !== '')
    const session = sessionWith({ tty: name(), terminal: 'kitty' })
    const channel = terminalChannel(env, 'auto')
    await channel.send(said(session), never)
    const title = Buffer.from('◆ payments: waiting for permission').toString('base64')
    const body = Buffer.from('npm test').toString('base64')
    await until('it is written', () => log().includes(body))
    expect(log()).toContain(`\u001b]99;i=id-1:e=1:d=0:p=title;${title}\u001b\\`)
    expect(log()).toContain(`\u001b]99;i=id-1:e=1:d=1:p=body;${body}\u001b\\`)
    await channel.withdraw?.(said(session), undefined, never)
    await until('it is taken back', () => log().includes('\u001b]99;i=id-1:p=close;\u001b\\'))
  })

  it('[NO14] is found by the process in it, whatever its variables say', async () => {
    const pid = join(folder, 'pid')
    const log = terminal('process', `echo $$ > ${pid}; exec sleep 60`, 'xterm')
    await until('it runs', () => existsSync(pid) && readFileSync(pid, 'utf8') !== '')
    const given = { pid: Number(readFileSync(pid, 'utf8')), tty: '/dev/pts/999999' }
    await terminalChannel(env, 'osc9').send(said(sessionWith(given)), never)
    await until('it is written', () => log().includes('\u001b]9;◆ payments'))
  })

  it('[NO14] that was stopped by Ctrl-S is not waited for', async () => {
    const name = join(folder, 'stopped-tty')
    const log = terminal('stopped', `tty > ${name}; stty ixon -echo; echo ready; sleep 60`, 'xterm')
    await until('it is ready', () => log().includes('ready'))
    children.at(-1)?.stdin?.write('\u0013')
    const session = sessionWith({ tty: readFileSync(name, 'utf8').trim() })
    // Until the key has arrived it is written to.
    let fault: unknown
    await until('it is stopped', async () => {
      const sent = terminalChannel(env, 'bell').send(said(session), never)
      fault = await sent.then(
        () => undefined,
        (error: unknown) => error,
      )
      return fault
    })
    expect(fault).toMatchObject({ message: expect.stringContaining('EAGAIN'), isPassing: true })
  })

  it('[NO14] that shows tmux gets the sequence itself: tmux would keep it', async () => {
    await terminalChannel(env, 'osc777').send(said(within('%1')), never)
    const text = '\u001b]777;notify;◆ payments: waiting for permission;npm test\u001b\\'
    await until('it is written', () => outer().includes(text))
    await terminalChannel(env, 'osc9').send(said(within('%1')), never)
    await until('it is written', () => outer().includes('\u001b]9;◆ payments: '))
  })

  it('[NO14] a bell goes to the pane, whose window tmux then marks', async () => {
    expect(tmux('list-windows', '-t', 'a', '-F', '#{window_bell_flag}')).toBe('0\n0')
    await terminalChannel(env, 'auto').send(said(within('%1')), never)
    await until(
      'the window is marked',
      () => tmux('list-windows', '-t', 'a', '-F', '#{window_bell_flag}') === '0\n1',
    )
  })

  it('[NO14] without an open terminal nothing is sent, and that is no error', async () => {
    const gone = sessionWith({ tmuxSocket: join(folder, 'none'), tmuxPane: '%0' })
    await terminalChannel(env, 'auto').send(said(gone), never)
    await terminalChannel(env, 'auto').send(said(sessionWith()), never)
  })

  it('[NO14] only a terminal of one’s own is written to', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    for (const tty of [file, '/dev/null', '/dev/pts/../null', '/dev/pts/999999'])
      await expect(
        terminalChannel(env, 'bell').send(said(sessionWith({ tty })), never),
      ).rejects.toMatchObject({ name: 'ChannelError' })
    expect(readFileSync(file, 'utf8')).toBe('')
  })

  it.each([
    ['xterm-kitty', 'osc99'],
    ['iTerm2 3.5', 'osc9'],
    ['iTerm.app', 'osc9'],
    ['WezTerm 2024', 'osc777'],
    ['ghostty', 'osc777'],
    ['foot', 'osc777'],
    ['vte', 'osc777'],
    ['alacritty', 'bell'],
    ['', 'bell'],
  ])('[NO14] %s is spoken to by %s', (name, sequence) => {
    expect(sequenceOf(name)).toBe(sequence)
  })
})

describe('a user who looks at a pane', () => {
  it('[NO4] is found by the terminal that shows it, has the focus and was used', async () => {
    const sessions = [within('%0', 'seen'), within('%1', 'unseen'), sessionWith({ id: 'outside' })]
    const now = Date.now()
    expect([...(await lookedAt(sessions, now, env))]).toEqual(['seen'])
    expect([...(await lookedAt(sessions, now + 61_000, env))]).toEqual([])
    tmux('select-window', '-t', 'a:1')
    expect([...(await lookedAt(sessions, now, env))]).toEqual(['unseen'])
  })

  it('[NO4] is not found if the server is gone or does not answer', async () => {
    const session = sessionWith({ tmuxSocket: join(folder, 'none'), tmuxPane: '%0' })
    expect([...(await lookedAt([session], Date.now(), env))]).toEqual([])
  })

  it('[NO4] gets no notification of it, but of other panes', async () => {
    const server = await loopback()
    const channel = { name: 'c', kind: 'slack', url: server.url('/') }
    const ground = contextWith({ on: true, channels: [channel] }, env)
    const attached = ground.attach()
    tmux('select-window', '-t', 'a:0')
    children[0]?.stdin?.write('x')
    await sleep(200)
    ground.becomes({ ...within('%0', 'seen'), name: 'seen' })
    ground.becomes({ ...within('%1', 'unseen'), name: 'unseen' })
    await until('one is reported', () => server.asked.length > 0)
    await sleep(700)
    attached.close()
    ground.end()
    server.close()
    expect(server.asked.map(({ body }) => JSON.parse(body).text)).toEqual([
      expect.stringContaining(' unseen: '),
    ])
  })
})
