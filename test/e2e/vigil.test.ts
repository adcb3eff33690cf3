import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '../../lab/drive/client.ts'
import { settleIn } from '../../lab/drive/place.ts'
import { openStage, type Stage } from '../../lab/drive/stage.ts'
import { hold, say, script, tool } from '../../lab/model/script.ts'
import { CODE_CACHE } from '../support/code-cache.ts'
import { Vigil } from './vigil.ts'

/** A tool that runs until the test lets it end: what is seen meanwhile is no matter of luck. */
const UNTIL_LET_GO = 'touch made; while [ ! -e go ]; do sleep 0.1; done'

const talk = script('end to end')
  .on('touch', say('I will.'), tool('Bash', { command: UNTIL_LET_GO, description: 'Touch it' }))
  .next(say('Touched it.'))
  .on('count', say('One, two'), hold())

/** A user's own file, with a hook and its own indentation, and no line break at the end. */
const SETTINGS = `{
   "hooks": {
      "Stop": [ { "hooks": [ { "type": "command", "command": "true" } ] } ]
   },
   "cleanupPeriodDays":30
}`

describe('vigil, with the real client', () => {
  let stage: Stage
  let vigil: Vigil
  let byHand: Client
  let client: Client
  let settings: string

  beforeAll(async () => {
    stage = await openStage(talk, {
      env: ({ root }) => ({ VIGIL_HOME: join(root, 'vigil'), ...CODE_CACHE }),
    })
    vigil = new Vigil(stage)
    settings = join(stage.place.home, '.claude/settings.json')
    writeFileSync(settings, SETTINGS)
    settleIn(stage.place.home, [stage.place.project, folder('by-hand')])
  })
  afterAll(async () => {
    await vigil?.run(['stop']).catch(() => {})
    await stage?.end()
  })

  it('finds a client that was there before the daemon, and has no hooks', async () => {
    const noHooks = ['--settings', '{"disableAllHooks": true}']
    byHand = await stage.claude(noHooks, { cwd: folder('by-hand') })
    const who = { pid: byHand.pane.pid, cwd: folder('by-hand') }
    await vigil.says(who, { state: 'idle', after: 'start' })
    await byHand.submit('count')
    await vigil.says(who, { state: 'working' })
    await byHand.pane.press('Escape')
    await vigil.says(who, { state: 'idle', after: 'interrupt' })
  })

  it('installs its hooks, and sees a client start', async () => {
    await vigil.run(['install'])
    expect(readFileSync(settings, 'utf8')).not.toBe(SETTINGS)
    client = await stage.claude()
    const { pid, id: tmuxPane } = client.pane
    const cwd = stage.place.project
    const session = await vigil.says({ pid }, { state: 'idle', after: 'start', tmuxPane, cwd })
    expect(session).toMatchObject({ agent: 'claude', project: 'project' })
  })

  it('says that a permission is asked for, that the tool runs, that it is done', async () => {
    const who = { pid: client.pane.pid }
    await client.submit('touch it')
    await client.pane.sees(/Do you want to proceed\?/)
    await vigil.says(who, { state: 'waiting', for: 'permission', unread: true })
    await client.answer(/Do you want to proceed\?/, 'Enter')
    await vigil.says(who, { state: 'working' })
    expect(existsSync(join(stage.place.project, 'made'))).toBe(true)
    writeFileSync(join(stage.place.project, 'go'), '')
    await client.pane.sees(/Touched it\./)
    await vigil.says(who, { state: 'idle', after: 'work' })
  })

  it('says that it was interrupted', async () => {
    const who = { pid: client.pane.pid }
    await client.submit('count for ever')
    await client.pane.sees(/One, two/)
    await vigil.says(who, { state: 'working' })
    await client.pane.press('Escape')
    await vigil.says(who, { state: 'idle', after: 'interrupt' })
  })

  it('says that it was killed, and nothing of the one beside it', async () => {
    const { id } = await vigil.says({ pid: client.pane.pid }, { state: 'idle' })
    client.pane.signal('SIGKILL')
    await vigil.says({ id }, { state: 'closed' })
    await vigil.says({ pid: byHand.pane.pid }, { state: 'idle', after: 'interrupt' })
  })

  it('runs a client: waiting for trust, idle, closed, and its exit code', async () => {
    const cwd = folder('run')
    const command = vigil.command('run', '--', 'claude', '--permission-mode', 'default')
    const run = new Client(await stage.open(command, { cwd }))
    // Before the folder is trusted the client runs no hook and reports nothing: its screen does.
    await run.pane.sees(/Quick safety check/)
    await vigil.says({ cwd }, { state: 'waiting', for: 'dialog' })
    await run.answer(/❯ No, exit/, 'Down')
    await run.answer(/❯ Yes, I trust this folder/, 'Enter')
    await run.ready()
    const { id } = await vigil.says({ cwd }, { state: 'idle', after: 'start' })
    await run.submit('/exit')
    expect(await run.pane.ended()).toEqual({ code: 0 })
    await vigil.says({ id }, { state: 'closed' })
  })

  it('passes on how what it runs ended', async () => {
    const agent = join(stage.place.root, 'agent')
    writeFileSync(agent, '#!/bin/sh\nexit 7\n', { mode: 0o755 })
    const ended = await stage.open(vigil.command('run', '--agent', 'claude', '--', agent))
    expect(await ended.ended()).toEqual({ code: 7 })

    const cwd = stage.place.project
    const run = new Client(await stage.open(vigil.command('run'), { cwd }))
    await run.ready()
    const { id, pid } = await vigil.says({ cwd }, { state: 'idle', after: 'start' })
    process.kill(Number(pid), 'SIGKILL')
    expect(await run.pane.ended()).toEqual({ signal: 9 })
    await vigil.says({ id }, { state: 'closed' })
  })

  it('uninstalls, and the settings are what they were, byte for byte', async () => {
    await vigil.run(['uninstall'])
    expect(readFileSync(settings, 'utf8')).toBe(SETTINGS)
  })

  function folder(name: string): string {
    const path = join(stage.place.root, name)
    mkdirSync(path, { recursive: true })
    return path
  }
})
