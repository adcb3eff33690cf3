import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenRequest } from '../../src/protocol/request.ts'
import { askOf } from '../../src/surfaces/notify/ask.ts'
import { ChannelQueue } from '../../src/surfaces/notify/channel-queue.ts'
import { desktopChannel } from '../../src/surfaces/notify/channels/desktop.ts'
import { soundChannel } from '../../src/surfaces/notify/channels/sound.ts'
import { messageOf } from '../../src/surfaces/notify/message.ts'
import { until } from '../support/daemon.ts'
import { programFolder } from '../support/program-folder.ts'
import { COMMAND_LAYOUT } from '../support/view.ts'
import { sessionWith } from './support.ts'

const sly = sessionWith({
  title: '--help "; rm -rf ~ $(id)',
  request: { tool: 'Bash', text: '<a href="x">b</a> & `c` \\ \'d\' \u0007', at: 0 },
})
const message = messageOf('id-1', 0, [sly], { hideSecrets: false })
const never = new AbortController().signal
const TITLE = '◆ --help "; rm -rf ~ $(id): waiting for permission'

let folder: string
const env = () => ({ PATH: `${folder}:/usr/bin:/bin`, XDG_RUNTIME_DIR: folder })
beforeEach(() => {
  folder = programFolder()
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A program that notes what it was given, one argument a line, and then does as the test wants. */
function fake(name: string, then = '') {
  const log = join(folder, `${name}.log`)
  writeFileSync(log, '')
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" --- >> '${log}'\n${then}\n`
  writeFileSync(join(folder, name), script)
  chmodSync(join(folder, name), 0o755)
  const calls = () =>
    readFileSync(log, 'utf8')
      .split('---\n')
      .filter((call) => call !== '')
      .map((call) => call.trimEnd().split('\n'))
  return calls
}

describe('buttons of a desktop', () => {
  const ask = { request: 'r1', shown: '0'.repeat(64), words: '$ npm test' }
  const asking = messageOf('id-1', 0, [sessionWith()], { hideSecrets: false }, { ask })
  const pressed: unknown[] = []
  const press = (...given: unknown[]) => void pressed.push(given)
  beforeEach(() => void pressed.splice(0))

  it('[AN29] a command that is shown whole is allowed by one', async () => {
    const calls = fake(
      'notify-send',
      `echo 42; until [ -e '${folder}/go' ]; do sleep 0.05; done; echo allow`,
    )
    const channel = desktopChannel(env(), press)
    expect(await channel.send(asking, never)).toBe('42')
    expect(calls()[0]?.slice(0, 2)).toEqual(['--action=allow=Allow once', '--action=deny=Deny'])
    expect(calls()[0]?.at(-1)).toBe('$ npm test')
    expect(pressed).toEqual([])
    writeFileSync(join(folder, 'go'), '')
    await until('it is pressed', () => pressed.length > 0)
    expect(pressed).toEqual([[ask, 'allow']])
  })

  it('[AN29] they go with their notification, and with the daemon', async () => {
    fake('notify-send', `echo $$ > '${folder}/pid'; echo 42; exec sleep 60`)
    const channel = desktopChannel(env(), press)
    const runs = () => {
      try {
        process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 0)
        return true
      } catch {
        return false
      }
    }
    await channel.send(asking, never)
    await until('it runs', runs)
    await channel.withdraw?.(asking, undefined, never)
    await until('the session is gone', () => !runs())
    await channel.send(asking, never)
    await until('it runs', runs)
    channel.close?.()
    await until('the session is gone', () => !runs())
    expect(pressed).toEqual([])
  })

  it('[AN29] a desktop without buttons gets none', async () => {
    const old = 'case "$1" in --action*) echo "Unknown option --action" >&2; exit 1;; esac; echo 7'
    const calls = fake('notify-send', old)
    const channel = desktopChannel(env(), press)
    expect(await channel.send(asking, never)).toBe('7')
    expect(await channel.send(asking, never)).toBe('7')
    expect(calls().map(([first]) => first)).toEqual([
      '--action=allow=Allow once',
      '--app-name=vigil',
      '--app-name=vigil',
    ])
  })

  it('[AN29] [SH7] there is none for what cannot be shown to the letter, every field of it', () => {
    const request = (over: object) => ({ ...aRequest, ...over })
    const command = (text: string) => request({ input: { command: text, description: 'harmless' } })
    expect(askOf([command('npm test')])).toEqual({
      ...{ request: 'r1', shown: '0'.repeat(64) },
      words: '$ npm test · description: harmless',
    })
    const background = { command: 'x', run_in_background: true }
    expect(askOf([request({ input: background })])?.words).toBe('$ x · ! run_in_background: true')
    const none = [
      [],
      [command('npm test'), command('x')],
      [command('echo a\nrm -rf ~')],
      [command('echo \u202ea')],
      [command(`echo ${'x'.repeat(400)}`)],
      [request({ input: { command: 'x', note: 'y'.repeat(400) } })],
      [request({ input: { file_path: '/f' } })],
      [request({ kind: 'plan' })],
      [request({ cut: true })],
      [request({ answerable: false })],
    ]
    for (const requests of none) expect(askOf(requests)).toBe(null)
  })
})

const aRequest: OpenRequest = {
  id: 'r1',
  digest: '0'.repeat(64),
  session: 'session-1',
  kind: 'permission',
  tool: 'Bash',
  actor: null,
  at: 0,
  input: { command: 'x' },
  layout: COMMAND_LAYOUT,
  cut: false,
  questions: [],
  plan: null,
  suggestions: [],
  answerable: true,
  why: null,
}

describe('a desktop with notify-send', () => {
  it('[NO15] is given the words as arguments, marks as letters, and nothing is run', async () => {
    const calls = fake('notify-send', 'echo 42')
    expect(await desktopChannel(env()).send(message, never)).toBe('42')
    expect(calls()).toEqual([
      [
        '--app-name=vigil',
        '--urgency=normal',
        '--print-id',
        '--',
        TITLE,
        '&lt;a href="x"&gt;b&lt;/a&gt; &amp; `c` \\ \'d\'',
      ],
    ])
  })

  it('[NO15] takes a notification back by its id', async () => {
    fake('notify-send', 'echo 42')
    const closed = fake('gdbus')
    await desktopChannel(env()).withdraw?.(message, '42', never)
    expect(closed()[0]).toContain('--method=org.freedesktop.Notifications.CloseNotification')
    expect(closed()[0]?.at(-1)).toBe('42')
  })

  it('[NO15] an older one that knows no ids is used without them from then on', async () => {
    const old = 'case "$*" in *--print-id*) echo "Unknown option --print-id" >&2; exit 1;; esac'
    const calls = fake('notify-send', old)
    const channel = desktopChannel(env())
    expect(await channel.send(message, never)).toBeUndefined()
    await channel.send(message, never)
    expect(calls().map((call) => call.includes('--print-id'))).toEqual([true, false, false])
  })

  it('[NO15] is asked on its user’s bus, wherever the daemon was started', async () => {
    writeFileSync(join(folder, 'bus'), '')
    fake('notify-send', `echo "$DBUS_SESSION_BUS_ADDRESS" > '${folder}/seen'`)
    await desktopChannel(env()).send(message, never)
    expect(readFileSync(join(folder, 'seen'), 'utf8')).toBe(`unix:path=${folder}/bus\n`)
  })

  it('[NO15] that fails or is missing says why', async () => {
    fake('notify-send', 'echo "no bus at all" >&2; exit 3')
    const channel = desktopChannel(env())
    await expect(channel.send(message, never)).rejects.toMatchObject({
      message: 'notify-send failed (3): no bus at all',
      isPassing: true,
    })
    const without = desktopChannel({ PATH: '/nowhere' })
    await expect(without.send(message, never)).rejects.toMatchObject({
      message: expect.stringMatching(/^notify-send cannot be run: .*ENOENT/),
      isPassing: false,
    })
  })

  it('[NO20] that hangs is ended with all it started', async () => {
    fake('notify-send', `sleep 60 & echo $! > '${folder}/child'; wait`)
    const troubles: (string | undefined)[] = []
    const lane = new ChannelQueue({
      channel: desktopChannel(env()),
      onTrouble: (what) => troubles.push(what),
      cutOffMs: 2_000,
      waitsMs: [],
    })
    lane.send(message)
    await until('it is cut off', () => troubles.length > 0)
    expect(troubles).toEqual(['gave no answer within 2 s'])
    const child = Number(readFileSync(join(folder, 'child'), 'utf8'))
    await until('its child is gone', () => !isAlive(child))
    lane.close()
  })
})

describe('a desktop with osascript', () => {
  it('[NO15] is given the words as arguments of a script that is always the same', async () => {
    const calls = fake('osascript')
    await desktopChannel({ PATH: folder }).send(message, never)
    expect(calls()[0]?.slice(-2)).toEqual([TITLE, message.body])
    expect(calls()[0]?.slice(0, 6)).toEqual([
      '-e',
      'on run argv',
      '-e',
      'display notification (item 2 of argv) with title (item 1 of argv)',
      '-e',
      'end run',
    ])
  })
})

describe('a sound', () => {
  it('[NO16] is played by the player that is there', async () => {
    const file = join(folder, 'ding dong.oga')
    writeFileSync(file, '')
    const calls = fake('paplay')
    await soundChannel({ PATH: folder }, file).send(message, never)
    expect(calls()).toEqual([[file]])
  })

  it('[NO16] without a player or a file is said, and not tried again', async () => {
    await expect(soundChannel({ PATH: folder }).send(message, never)).rejects.toMatchObject({
      message: expect.stringMatching(/^no sound player is installed/),
      isPassing: false,
    })
    fake('paplay')
    const missing = soundChannel({ PATH: folder }, join(folder, 'none'))
    await expect(missing.send(message, never)).rejects.toThrow('no such file')
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}
