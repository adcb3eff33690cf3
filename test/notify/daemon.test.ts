import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { DaemonHome, until } from '../support/daemon.ts'
import { programFolder } from '../support/program-folder.ts'
import { waitingHook } from '../support/waiting-hook.ts'
import { hangs, loopback, says } from './loopback.ts'

let home: DaemonHome
let server: Awaited<ReturnType<typeof loopback>>
beforeEach(() => {
  home = new DaemonHome()
})
afterEach(async () => {
  await home.end()
  server.close()
})

const hook = (session: string, event: string, more: object = {}) => ({
  ...{
    session_id: `own-${session}`,
    hook_event_name: event,
    cwd: '/home/ada/of-this-test',
    ...more,
  },
})
const ASKS = { tool_name: 'Bash', tool_input: { command: 'npm test' } }

function channels(...urls: string[]): void {
  const list = urls.map((url, n) => ({
    ...{ name: `c${n}`, kind: 'slack', url },
    // Clients that run on this machine are found, too.
    projects: ['of-this-test'],
  }))
  mkdirSync(home.folders.config, { recursive: true })
  const settings = { notify: { on: true, channels: list } }
  writeFileSync(join(home.folders.config, 'settings.json'), JSON.stringify(settings))
}

/** Without a prompt: one typed in the same millisecond would have made it read. */
function asks(session: string): void {
  home.write(hook(session, 'PermissionRequest', ASKS))
}

/** Less than a channel that hangs is given, also on a machine that is busy with other tests. */
const ENDS_MAX_MS = 6_000

const texts = () => server.asked.map(({ body }) => JSON.parse(body).text as string)

describe('a real daemon', () => {
  it('[NO1][NO9] tells of a dialog once, also over kill -9', async () => {
    server = await loopback()
    channels(server.url('/'))
    const first = await home.start()
    asks('a')
    await until('it is reported', () => texts().length > 0)
    expect(texts()).toEqual([expect.stringMatching(/^\*◆ of-this-test: waiting for .*\nnpm test/)])
    await first.kill()
    await home.start()
    await sleep(1_500)
    expect(texts()).toHaveLength(1)
  })

  it('[AN29] a button of the desktop answers what an agent asks', async () => {
    server = await loopback()
    const programs = programFolder()
    onTestFinished(() => rmSync(programs, { recursive: true }))
    const script = `#!/bin/sh\necho 42\necho "$@" >'${programs}/told'\necho deny\n`
    writeFileSync(join(programs, 'notify-send'), script, { mode: 0o755 })
    home.env.PATH = `${programs}:${home.env.PATH}`
    mkdirSync(home.folders.config, { recursive: true })
    const channel = { name: 'desk', kind: 'desktop', projects: ['of-this-test'] }
    const settings = { notify: { on: true, channels: [channel] } }
    writeFileSync(join(home.folders.config, 'settings.json'), JSON.stringify(settings))
    await home.start()
    const { told } = await waitingHook(home, hook('a', 'PermissionRequest', ASKS))
    expect(await told).toMatchObject({
      output: { hookSpecificOutput: { decision: { behavior: 'deny' } } },
    })
    expect(readFileSync(join(programs, 'told'), 'utf8')).toContain('$ npm test')
    const { acts } = await home.client.acts()
    expect(acts).toMatchObject([
      { where: 'notification', who: 'the user, on the desktop', words: 'denied Bash' },
    ])
  })

  it('[NO20][NO21] shows a broken channel in its health, and ends at once', async () => {
    server = await loopback(says(500), hangs, hangs)
    channels(server.url('/'))
    const daemon = await home.start()
    asks('a')
    const troubles = async () => (await home.client.health()).troubles
    await until('it is said', async () =>
      (await troubles()).some((one) => /^notify c0: /.test(one)),
    )
    await until('it hangs', () => server.asked.length > 1)
    const began = performance.now()
    await daemon.kill('SIGTERM')
    expect(performance.now() - began).toBeLessThan(ENDS_MAX_MS)
  })

  it('[NO5] a thousand dialogs are reported within the limit, and block nothing', async () => {
    server = await loopback()
    const slow = await loopback(...Array.from({ length: 20 }, () => hangs))
    channels(server.url('/'), slow.url('/'))
    const daemon = await home.start()
    let slowest = 0
    for (let n = 0; n < 1_000; n++) asks(String(n))
    const count = () =>
      texts().reduce((sum, text) => sum + Number(/(\d+) sessions/.exec(text)?.[1] ?? 1), 0)
    await until(
      'all are reported',
      async () => {
        const began = performance.now()
        await home.client.health()
        slowest = Math.max(slowest, performance.now() - began)
        return count() >= 1_000
      },
      50_000,
    )
    slow.close()
    expect(count()).toBe(1_000)
    expect(texts().length).toBeLessThanOrEqual(6)
    // A channel that hangs is given longer.
    expect(slowest).toBeLessThan(ENDS_MAX_MS)
    const began = performance.now()
    await daemon.kill('SIGTERM')
    expect(performance.now() - began).toBeLessThan(ENDS_MAX_MS)
  })
})
