import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { typeInto } from '../../src/daemon/panes/type-into.ts'
import type { Session } from '../../src/protocol/session.ts'
import { until } from '../support/daemon.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-pane-'))
const socket = join(folder, 'tmux')
const client = fileURLToPath(new URL('./fake-client.js', import.meta.url))
const tmux = (...args: string[]) =>
  execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' }).trim()

afterAll(() => {
  tmux('kill-server')
  rmSync(folder, { recursive: true, force: true })
})

let panes = 0

/** A pane with something like the client in it; what was sent to it is in a file. */
async function open(begun = '') {
  panes += 1
  const file = join(folder, `sent-${panes}`)
  const command = ['env', `PATH=${process.env.PATH}`, process.execPath, client, file, begun]
  const format = '#{pane_id} #{pane_pid}'
  const made = tmux('new-session', '-d', '-x', '80', '-y', '24', '-P', '-F', format, ...command)
  const [pane = '', pid] = made.split(' ')
  await until('it is drawn', () => tmux('capture-pane', '-p', '-t', pane).includes('❯'))
  const session = { tmuxPane: pane, tmuxSocket: socket, pid: Number(pid) } as Session
  const sent = () => {
    try {
      return readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    } catch {
      return []
    }
  }
  return { session, pane, sent }
}

it('[LP72] a prompt of several lines is typed and sent as one', async () => {
  const { session, sent } = await open()
  const text = 'Continue: "it\'s" $HOME `x` #{pane_id} ;\n\n- one\n- two ☕'
  expect(await typeInto(session, text)).toBeUndefined()
  expect(sent()).toEqual([text])
})

it('[LP72] nothing is typed over what its user writes', async () => {
  const { session, sent, pane } = await open('half a thou')
  expect(await typeInto(session, 'go on')).toBe('its input line is not empty')
  expect(sent()).toEqual([])
  expect(tmux('capture-pane', '-p', '-t', pane)).toContain('❯ half a thou')
})

it('[LP72] nor into a pane that is scrolled, gone, or another program’s', async () => {
  const { session, sent, pane } = await open()
  expect(await typeInto({ ...session, pid: process.pid }, 'x')).toBe(
    'its pane runs another program',
  )
  tmux('copy-mode', '-t', pane)
  expect(await typeInto(session, 'x')).toBe('its pane is in copy mode; leave it with q')
  tmux('send-keys', '-t', pane, '-X', 'cancel')
  tmux('kill-pane', '-t', pane)
  await open()
  expect(await typeInto(session, 'x')).toMatch(/^tmux: |its pane is closed/)
  expect(await typeInto({ ...session, tmuxPane: null }, 'x')).toBe('the session is not in tmux')
  expect(sent()).toEqual([])
})

it('[LP72] nor where no input line is shown', async () => {
  const pane = tmux('new-session', '-d', '-P', '-F', '#{pane_id}', 'sleep 1000')
  const pid = Number(tmux('display-message', '-p', '-t', pane, '#{pane_pid}'))
  const session = { tmuxPane: pane, tmuxSocket: socket, pid } as Session
  const command = () => tmux('display-message', '-p', '-t', pane, '#{pane_current_command}')
  await until('it runs', () => command() === 'sleep')
  expect(await typeInto(session, 'x')).toBe('its screen shows no input line')
})
