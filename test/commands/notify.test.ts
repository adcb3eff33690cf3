import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { foldersOf } from '../../src/home/folders.ts'
import type { CheckContext } from '../../src/surfaces/cli/doctor/context.ts'
import { checkNotify } from '../../src/surfaces/cli/doctor/notify.ts'
import { hangsUp, loopback, says } from '../notify/loopback.ts'
import { programFolder } from '../support/program-folder.ts'
import { vigilIn } from './support.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-notify-'))
const home = join(folder, 'home')
const bin = programFolder()
const env = { PATH: `${bin}:/usr/bin:/bin`, TMUX: undefined, TMUX_PANE: undefined }
const vigil = (...args: string[]) => vigilIn(home, ['notify', ...args], { env })
const file = join(home, 'config', 'settings.json')
const section = () => JSON.parse(readFileSync(file, 'utf8')).notify
const write = (notify: object) => {
  mkdirSync(join(home, 'config'), { recursive: true })
  writeFileSync(file, JSON.stringify({ notify }))
}

beforeEach(() => {
  rmSync(home, { recursive: true, force: true })
  writeFileSync(join(bin, 'notify-send'), `#!/bin/sh\nprintf '%s\\n' "$@" > '${folder}/sent'\n`)
  chmodSync(join(bin, 'notify-send'), 0o755)
})
afterAll(() => {
  for (const one of [folder, bin]) rmSync(one, { recursive: true, force: true })
})

describe('vigil notify', () => {
  it('[NO31] on without a channel takes the desktop, and off keeps what was set', async () => {
    expect((await vigil('on')).stdout).toMatch(/^on, by desktop;/)
    expect(section()).toEqual({ on: true, channels: [{ name: 'desktop', kind: 'desktop' }] })
    expect((await vigil('of')).stdout).toBe('off\n')
    expect(section()).toMatchObject({ on: false, channels: [{ name: 'desktop' }] })
  })

  it('[NO31] adds channels as they were wished, and removes one', async () => {
    await vigil(
      ...['channel', 'add', 'ntfy', 'https://ntfy.sh/x', '--name', 'phone', '--after', '5m'],
      ...['--states', 'error,plan', '--projects', 'pay*,!x', '--always'],
    )
    const secret = await vigil('channel', 'add', 'webhook', 'https://example.org/x')
    await vigil('channel', 'add', 'desktop')
    await vigil('channel', 'add', 'desktop')
    const [, made] = /^secret: ([0-9a-f]{64})$/m.exec(secret.stdout) ?? []
    expect(section().channels).toEqual([
      {
        ...{ name: 'phone', kind: 'ntfy', url: 'https://ntfy.sh/x', afterMin: 5, always: true },
        ...{ states: ['error', 'plan'], projects: ['pay*', '!x'] },
      },
      { name: 'webhook', kind: 'webhook', url: 'https://example.org/x', secret: made },
      { name: 'desktop', kind: 'desktop' },
      { name: 'desktop-2', kind: 'desktop' },
    ])
    await vigil('channel', 'remove', 'webhook')
    expect(section().channels).toHaveLength(3)
  })

  it('[NO31] keeps what it does not know', async () => {
    write({ later: 1, channels: [{ name: 'a', kind: 'pigeon', loft: 'east' }] })
    await vigil('channel', 'add', 'desktop')
    await vigil('quiet', '22:00-07:00', '--days', 'sat,sun')
    expect(section()).toMatchObject({
      later: 1,
      channels: [{ name: 'a', kind: 'pigeon', loft: 'east' }, { name: 'desktop' }],
      quiet: [{ from: '22:00', to: '07:00', days: ['sat', 'sun'] }],
    })
  })

  it.each([
    [['channel', 'add', 'pigeon'], /expected one of desktop, terminal/],
    [['channel', 'add', 'slack'], /url: expected an address/],
    [['channel', 'add', 'ntfy', 'http://example.org/x'], /plain http only within/],
    [['channel', 'add', 'desktop', '--states', 'happy'], /states/],
    [['channel', 'add', 'ntfy', 'https://x/y', '--token-file', '/none'], /cannot be read/],
    [['channel', 'remove', 'x'], /no such channel/],
    [['quiet', 'night'], /expected hours such as 22:00-07:00/],
    [['quiet', '22:00-27:00'], /expected a time such as 22:00/],
    [['limit', '0'], /expected a number from 1 to 600/],
    [['test'], /no channel/],
    [['x'], /no such command/],
  ])('[NO31] %j is refused, with what was expected', async (args, words) => {
    const { status, stderr } = await vigil(...args)
    expect([status, stderr]).toEqual([2, expect.stringMatching(words)])
  })

  it('[NO31] a token is read from a file, and status shows no secret', async () => {
    const args = ['notify', 'channel', 'add', 'ntfy', 'https://ntfy.sh/x', '--token-file', '-']
    await vigilIn(home, args, { env, input: 'tk_secret\n' })
    await vigil('channel', 'add', 'slack', 'https://hooks.slack.com/services/T/B/hidden')
    expect(section().channels[0].token).toBe('tk_secret')
    for (const json of [[], ['--json']]) {
      const { stdout } = await vigil('status', ...json)
      expect(stdout).toContain('hooks.slack.com')
      expect(stdout).not.toMatch(/tk_secret|hidden|services/)
    }
  })

  it('[NO31] test tells by each channel, says what fails, and fails then', async () => {
    const server = await loopback(says(200), says(403), hangsUp)
    await vigil('channel', 'add', 'desktop')
    expect(await vigil('test')).toMatchObject({ status: 0, stdout: '✓ desktop      told\n' })
    expect(readFileSync(join(folder, 'sent'), 'utf8')).toContain('◆ vigil: this works')
    await vigil('channel', 'add', 'slack', server.url('/a'))
    expect((await vigil('test', 'slack')).status).toBe(0)
    const { status, stdout } = await vigil('test')
    expect(status).toBe(1)
    expect(stdout).toMatch(/✓ desktop +told/)
    expect(stdout).toMatch(/✗ slack +127\.0\.0\.1:\d+ answered 403/)
    expect((await vigil('test', 'slack')).stdout).toMatch(/✗ slack +127\.0\.0\.1:\d+: /)
    server.close()
  })
})

describe('the doctor', () => {
  const folders = foldersOf({ VIGIL_HOME: home })
  const findings = (troubles: readonly string[] = [], PATH = bin) => {
    const daemon = { health: { troubles } }
    const context = { folders, env: { PATH }, daemon } as unknown as CheckContext
    return checkNotify(context).map(({ level, what }) => `${level} ${what}`)
  }
  const desk = { name: 'desk', kind: 'desktop' }
  const phone = { name: 'phone', kind: 'ntfy', url: 'https://ntfy.sh/x', afterMin: 5 }

  it('[NO32] says whether notifications are on, and by what', () => {
    expect(findings()).toEqual([expect.stringMatching(/^ok off;/)])
    write({ on: true })
    expect(findings()).toEqual(['warning on, but no channel is set up'])
    write({ on: true, channels: [desk, phone] })
    expect(findings()).toEqual(['ok on, by desk, phone after a delay'])
  })

  it('[NO32] says what keeps a channel silent', () => {
    write({ on: true, channels: [desk, phone, { name: 'x', kind: 'pigeon' }] })
    expect(findings(['notify phone: ntfy.sh answered 403', 'log: full'], '/none')).toEqual([
      expect.stringMatching(/^warning notify\.channels\[2\]\.kind/),
      'warning desk: neither notify-send nor osascript is installed',
      'warning phone: ntfy.sh answered 403',
      'ok on, by desk, phone after a delay',
    ])
    writeFileSync(file, '{ "notify": ')
    expect(findings()).toEqual([expect.stringMatching(/^warning .*settings\.json/)])
  })
})
