import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { clientOf } from '../../lab/clients.ts'
import { openStage, type Stage } from '../../lab/drive/stage.ts'
import { say, script, tool } from '../../lab/model/script.ts'
import { until } from '../../lab/until.ts'
import { wantedEvents } from '../../src/agents/claude/events.ts'
import { runWithHooks } from '../../src/agents/claude/setup/run.ts'
import { foldersOf } from '../../src/home/folders.ts'
import { namedClient } from '../../src/install/client.ts'
import { readSettingsFile } from '../../src/install/files.ts'
import type { Installed } from '../../src/install/install.ts'
import { ownPathsOf } from '../../src/install/plan.ts'
import { installClaude, uninstallClaude } from '../support/install.ts'
import { VERSIONS } from '../support/versions.ts'

const DIALOGUE = script('install')
  .on('hello', say('Hello to you.'))
  .on('touch', tool('Bash', { command: 'echo touched', description: 'Says so' }))
  .next(say('Touched.'))

const OWN = '{\n    "theme": "dark",\n    "permissions": {"allow": ["Bash(echo:*)"]}\n}'

/** The client's line about what it is doing, hooks of its own included. */
const BUSY = /…|esc to interrupt/

const opened: Stage[] = []
afterEach(async () => {
  for (const stage of opened.splice(0)) await stage.end()
})

/** A client with vigil installed; its hooks write into a spool that no daemon reads. */
class Scene {
  readonly stage: Stage
  readonly config: string
  readonly settings: string

  static async open(client: string): Promise<Scene> {
    const stage = await openStage(DIALOGUE, { client })
    opened.push(stage)
    return new Scene(stage)
  }

  constructor(stage: Stage) {
    this.stage = stage
    this.config = join(stage.place.home, '.claude')
    this.settings = join(this.config, 'settings.json')
    writeFileSync(this.settings, OWN)
  }

  /** Another one whose folder no shell reads as one word. */
  folders(name = 'vigil') {
    return foldersOf({ VIGIL_HOME: join(this.stage.place.root, name) })
  }

  install(version: string, name?: string, statusline = false): Installed {
    const folders = this.folders(name)
    const env = { ...process.env, HOME: this.stage.place.home }
    expect(namedClient(clientOf(version) ?? '', env).version).toBe(version)
    return installClaude({ folders, version, statusline, configDirs: [this.config] })
  }

  uninstall(name?: string): void {
    uninstallClaude(this.folders(name), [])
  }

  /** `claude -p`, with its standard input at its end: 2.0.50 waits for that. */
  print(prompt: string, args: readonly string[] = []) {
    const line = 'exec claude --permission-mode default "$@" </dev/null'
    return this.stage.run(['sh', '-c', line, 'claude', ...args, '-p', prompt])
  }

  /** The events in the spool, complete ones, in the order of their names. */
  spooled(name?: string, kind = 'hook'): string[] {
    const { spool } = this.folders(name)
    const files = existsSync(spool) ? readdirSync(spool) : []
    return files
      .filter((file) => file.startsWith(`${kind}.`))
      .map((file) => readFileSync(join(spool, file), 'utf8'))
      .filter((text) => text.endsWith('\n.\n'))
      .map((text) => JSON.parse(text.split('\n\n')[1]?.replace(/\n\.\n$/, '') ?? ''))
      .map((payload) => String(payload.hook_event_name))
      .toSorted()
  }

  /** Waits for these at least: what a client runs beside the conversation has hooks too. */
  async arrived(events: readonly string[], name?: string): Promise<string[]> {
    const here = () => events.every((event) => this.spooled(name).includes(event))
    const shows = () => `came: ${this.spooled(name)}\nasked: ${events}`
    await until('the hooks of a whole run', here, { shows })
    return this.spooled(name)
  }
}

/** What a turn with one tool fires, of what this version knows. */
function firedBy(version: string): string[] {
  const turn = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolBatch']
  const known: readonly string[] = wantedEvents(version)
  return [...turn, 'Stop', 'SessionEnd'].filter((event) => known.includes(event))
}

describe.each(VERSIONS)('client %s', (version) => {
  it(`[I1][I2] -p: every hook of a turn arrives, with nothing on the screen`, async () => {
    const scene = await Scene.open(version)
    const { events } = scene.install(version)
    expect(events).toEqual(wantedEvents(version))
    const said = await scene.print('touch', ['--allowedTools', 'Bash(echo:*)'])
    expect(said).toEqual({ code: 0, stdout: 'Touched.\n', stderr: '' })
    const came = await scene.arrived(firedBy(version))
    for (const event of firedBy(version))
      expect(
        came.filter((one) => one === event),
        event,
      ).toHaveLength(1)
    scene.uninstall()
    expect(readFileSync(scene.settings, 'utf8')).toBe(OWN)
  })

  it('[I1][I2][I3][I10] in a terminal, in a folder with a blank: all arrives', async () => {
    const scene = await Scene.open(version)
    scene.install(version, 'vi gil', true)
    const client = await scene.stage.claude()
    expect(await client.pane.screen()).not.toMatch(/settings error|invalid settings/i)
    await client.submit('hello')
    await client.pane.sees(/Hello to you/)
    await until('the status line', () => scene.spooled('vi gil', 'statusline').length > 0)
    await client.submit('/exit')
    await client.pane.ended()
    await scene.arrived(['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd'], 'vi gil')
    scene.uninstall('vi gil')
    expect(readFileSync(scene.settings, 'utf8')).toBe(OWN)
  })

  it(`[I11] a session that outlives uninstall shows no error`, async () => {
    const scene = await Scene.open(version)
    const { hook } = scene.install(version)
    const client = await scene.stage.claude()
    await scene.arrived(['SessionStart'])
    scene.uninstall()
    expect(readFileSync(hook, 'utf8')).toContain('exit 0')
    await client.submit('hello')
    await client.pane.sees(/Hello to you/)
    const over = await client.pane.sees((screen) => /Hello/.test(screen) && !BUSY.test(screen))
    expect(over).not.toMatch(/hook|No such file|not found/i)
  })

  it(`[I13] --settings: hooks for one run beside the user’s own, each once`, async () => {
    const scene = await Scene.open(version)
    scene.install(version)
    const mine = join(scene.stage.place.root, 'mine')
    const handler = { type: 'command', command: `echo x >> ${mine}` }
    const own = JSON.stringify({ hooks: { Stop: [{ hooks: [handler] }] } })
    const file = join(scene.stage.place.root, 'run.json')
    const { args, text = '' } = runWithHooks(['--settings', own], {
      home: scene.config,
      version,
      own: ownPathsOf('claude', scene.folders()),
      sha256: String,
      cwd: scene.stage.place.project,
      env: {},
      read: (path) => readSettingsFile(path).text,
      file,
    })
    writeFileSync(file, text)
    const said = await scene.print('hello', args)
    expect(said).toEqual({ code: 0, stdout: 'Hello to you.\n', stderr: '' })
    const came = await scene.arrived(['SessionStart', 'Stop', 'SessionEnd'])
    expect(came.filter((event) => event === 'Stop')).toHaveLength(1)
    expect(readFileSync(mine, 'utf8')).toBe('x\n')
  })
})
