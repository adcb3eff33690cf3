import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clientOf } from '../../lab/clients.ts'
import { Client } from '../../lab/drive/client.ts'
import { openStage, type Stage } from '../../lab/drive/stage.ts'
import { say, script } from '../../lab/model/script.ts'
import { until } from '../../lab/until.ts'
import { wantedEvents } from '../../src/agents/claude/events.ts'
import { claude } from '../../src/agents/claude/index.ts'
import { readScreen } from '../../src/agents/claude/screen.ts'
import { type Folders, foldersOf } from '../../src/home/folders.ts'
import { oldestClient } from '../../src/install/clients.ts'
import { DaemonHome } from '../support/daemon.ts'
import { installClaude } from '../support/install.ts'

const [OLD, OLDER, NEWEST] = ['2.1.100', '2.1.220', '2.1.325'] as const
const ALL = [OLD, OLDER, NEWEST] as const

let stage: Stage
let config: string
let folders: Folders
beforeEach(async () => {
  stage = await openStage(script('shared').on('hello', say('Hello to you.')))
  config = join(stage.place.home, '.claude')
  folders = foldersOf({ VIGIL_HOME: join(stage.place.root, 'vigil') })
})
afterEach(() => stage.end())

const open = (version: string) =>
  stage.open([clientOf(version) ?? '', '--permission-mode', 'default'])

const spooled = () => (existsSync(folders.spool) ? readdirSync(folders.spool).length : 0)

describe('clients that share one config folder', () => {
  it('[I15] are found by what they wrote, and none complains of what is installed', async () => {
    for (const version of ALL.toReversed()) {
      const line = `exec '${clientOf(version)}' -p hello </dev/null`
      expect((await stage.run(['sh', '-c', line])).stdout).toBe('Hello to you.\n')
      expect(oldestClient(claude, config, [])?.version).toBe(version)
    }
    const oldest = oldestClient(claude, config, [{ path: '', version: NEWEST }])
    const { events } = installClaude({
      folders,
      configDirs: [config],
      version: NEWEST,
      oldest: { [config]: oldest },
    })
    expect(events).toEqual(wantedEvents(OLD))
    for (const version of ALL) {
      const before = spooled()
      const client = new Client(await open(version))
      await client.ready()
      expect(await client.pane.screen()).not.toMatch(/settings (error|warning)|invalid settings/i)
      await until(`a hook of ${version}`, () => spooled() > before)
      await client.submit('/exit')
      await client.pane.ended()
    }
  }, 180_000)

  it.each([OLD, OLDER])('[X8] %s asks about a file that it does not know: a dialog', async (of) => {
    installClaude({ folders, configDirs: [config], version: NEWEST, allEvents: true })
    const pane = await open(of)
    const screen = await pane.sees(/Esc to cancel/)
    expect(screen).toMatch(/Settings (Error|Warning)/)
    expect(readScreen(screen)).toEqual({ shows: 'dialog', for: 'dialog' })
    expect(spooled()).toBe(0)
  })

  it('[I16][TM32] one that asks about its settings waits, and is a trouble', async () => {
    const home = new DaemonHome()
    try {
      home.env.TMUX_TMPDIR = stage.place.root
      const all = { folders: home.folders, configDirs: [config], version: NEWEST, allEvents: true }
      installClaude(all)
      await home.start()
      const pane = await open(OLDER)
      await until('vigil says that it waits', async () => {
        const { sessions } = await home.client.sessions()
        const session = sessions.find(({ pid }) => pid === pane.pid)
        return session?.state === 'waiting' && session.for === 'dialog'
      })
      const troubles = async () => (await home.client.health()).troubles.join()
      await until('its trouble', async () => /2\.1\.220 .*PostModelSwitch/.test(await troubles()))
      const oldest = { [config]: oldestClient(claude, config, []) }
      installClaude({ ...all, oldest })
      await until('the cure', async () => (await troubles()) === '')
    } finally {
      await home.end()
    }
  })

  it.each(ALL)('[I12] %s loads nothing of a file with a comment, and asks', async (of) => {
    installClaude({ folders, configDirs: [config], version: of })
    const settings = join(config, 'settings.json')
    writeFileSync(settings, `// mine\n${readFileSync(settings, 'utf8')}`)
    const screen = await (await open(of)).sees(/Esc to cancel/)
    expect(screen).toMatch(/Invalid or malformed JSON/)
    expect(readScreen(screen)).toEqual({ shows: 'dialog', for: 'dialog' })
  })
})
