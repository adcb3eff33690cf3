import { afterEach, beforeEach, expect, it } from 'vitest'
import { writeSettings } from '../../src/home/settings.ts'
import { DaemonHome, OWN, type Running, turn, until } from '../support/daemon.ts'

let home: DaemonHome
let daemon: Running
beforeEach(async () => {
  home = new DaemonHome()
  daemon = await home.start()
})
afterEach(() => home.end())

const URL = 'https://x.example/very-secret-address'
const CHANNEL = { name: 'phone', kind: 'webhook', url: URL, secret: 'hunter2'.repeat(4) }

const noted = async () =>
  (await home.client.acts({})).acts
    .filter(({ what }) => what === 'settings')
    .map(({ session, who, where, words }) => [session, who, where, words].join('|'))

it('[WD15] a change of what sends elsewhere or decides who may answer is logged', async () => {
  writeSettings(home.folders, { answers: { on: false }, tmux: { on: true } })
  await until('it is noted', async () => (await noted()).length === 1)
  const channels = [{ ...CHANNEL, secrets: true }]
  writeSettings(home.folders, { notify: { on: true, channels } as object })
  await until('it is noted', async () => (await noted()).length === 2)
  writeSettings(home.folders, { share: { origins: ['https://vigil.example'] } })
  await until('it is noted', async () => (await noted()).length === 3)
  expect(await noted()).toEqual([
    '|settings.json|daemon|changed share.origins',
    '|settings.json|daemon|changed notify.on, added notify.channels.phone, ' +
      'added notify.channels.phone.secrets',
    '|settings.json|daemon|changed answers.on',
  ])
  const { stdout } = await home.run(['audit'])
  expect(stdout).toContain('added notify.channels.phone.secrets')
  expect(stdout + home.log()).not.toMatch(/very-secret|hunter2/)
})

it('[WD15] what changed while no daemon ran is noted by the next one, once', async () => {
  await daemon.kill('SIGTERM')
  writeSettings(home.folders, { answers: { on: false } })
  daemon = await home.start()
  await until('it is noted', async () => (await noted()).length > 0)
  expect(await noted()).toEqual(['|settings.json|daemon|changed answers.on'])
  await daemon.kill('SIGTERM')
  daemon = await home.start()
  expect(await noted()).toHaveLength(1)
  const { stdout } = await home.run(['doctor'])
  expect(stdout).toMatch(/settings +answers\.on was changed \d+ ?\w+ ago/)
})

it('[A7] which ends of talk call is set at once, for what has ended too', async () => {
  home.write(turn('talks', 1))
  await until('it works', async () => (await home.states()).includes(`${OWN}talks working`))
  home.write({ ...turn('talks', 2, 'Stop'), last_assistant_message: 'Shall I?' })
  const isUnread = async () => (await home.client.session(`${OWN}talks`))?.unread
  await until('it calls', isUnread)
  writeSettings(home.folders, { attention: { questions: false } })
  await until('it calls no more', async () => (await isUnread()) === false)
  writeSettings(home.folders, { attention: { questions: true } })
  await until('it calls again', isUnread)
})
