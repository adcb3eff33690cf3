import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../../lab/drive/client.ts'
import type { Output } from '../../lab/drive/stage.ts'
import { hold, pause, say, script, tool } from '../../lab/model/script.ts'
import { until } from '../../lab/until.ts'
import { open } from '../../src/client/ask.ts'
import { foldersOf } from '../../src/home/folders.ts'
import { LoopStage } from '../loop/on-stage.ts'

const talk = script('panes')
  .on('count the files', say('There are three of them.'))
  .on('of two lines', say('I have read both.'))
  .on('think it over', pause(200), say('Let me see'), hold(), say('never said'))
  .on('touch it', tool('Bash', { command: 'touch made' }))
  .next(say('It was touched.'))
  .on('from the live view', say('I hear you.'))
  .on('after that', say('And on it goes.'))
  .on('take your time', say('Let me see first.'), hold('slow'), say('That was it.'))
  .on('from the queue', say('I come from the queue.'))

describe('the real client in tmux', () => {
  let stage: LoopStage
  let client: Client
  let session: string

  beforeAll(async () => {
    stage = await LoopStage.open(talk)
    ;({ client, session } = await stage.claude())
  })
  afterAll(() => stage?.end())

  /** Whatever it ends with. */
  const vigil = (...args: string[]): Promise<Output> =>
    stage.stage.run(stage.vigil.command(...args))
  const acts = async () => {
    const { stdout } = await stage.vigil.run(['answers', 'log', '--json'])
    const told = JSON.parse(stdout) as { what: string; words: string }[] | { acts: [] }
    const list = Array.isArray(told) ? told : told.acts
    return (list as { what: string; words: string }[]).map(({ what, words }) => `${what}: ${words}`)
  }

  /** The daemon's answer to a request to watch its pane. */
  const screenOf = async (id: string) => {
    const folders = foldersOf({ VIGIL_HOME: join(stage.stage.place.root, 'vigil') })
    const path = `/v1/sessions/${id}/screen`
    const response = await open(folders, { path, silenceMaxMs: 5_000 })
    response.destroy()
    return response.statusCode
  }

  it('[PA8] nothing is typed while the switch is off', async () => {
    const refused = await vigil('say', session, 'count the files')
    expect(refused).toMatchObject({ code: 2, stdout: '' })
    expect(refused.stderr).toContain('typing is off')
    expect(await client.pane.screen()).not.toContain('count')
  })

  it('[PA12][PA13] a prompt is taken by one that is idle, and begins its turn', async () => {
    await stage.vigil.run(['typing', session, 'on'])
    expect(await vigil('say', session, 'count the files; please')).toMatchObject({ code: 0 })
    await client.pane.sees(/There are three of them\./)
    await stage.vigil.says({ id: session }, { state: 'idle', after: 'talk' })
    expect(await vigil('say', session, 'a prompt\nof two lines')).toMatchObject({ code: 0 })
    await client.pane.sees(/I have read both\./)
    await stage.vigil.says({ id: session }, { state: 'idle' })
    expect((await acts()).slice(0, 3)).toEqual([
      'prompt: a prompt\nof two lines',
      'prompt: count the files; please',
      'typing: allowed typing',
    ])
  })

  it('[PA12] what its user writes is not typed over', async () => {
    await client.pane.type('half a thought')
    await client.pane.sees(/half a thought/)
    const refused = await vigil('say', session, 'count the files')
    expect(refused.stderr).toContain('its input line is not empty')
    const screen = await client.pane.screen()
    expect(screen).toContain('half a thought')
    expect(screen.match(/count the files/g)).toHaveLength(1)
    await client.pane.press('C-u')
    await client.pane.sees((text) => !text.includes('half a thought'))
  })

  it('[PA23] one that works queues a prompt, and hears it when its turn is over', async () => {
    await client.submit('take your time')
    await client.pane.sees(/Let me see first\./)
    await stage.vigil.says({ id: session }, { state: 'working' })
    const queued = await vigil('say', session, 'this is from the queue')
    expect(queued).toMatchObject({ code: 0, stdout: expect.stringContaining(': queued') })
    await stage.vigil.says({ id: session }, { state: 'working' })
    stage.stage.model.release('slow')
    await client.pane.sees(/That was it\.[\s\S]*I come from the queue\./)
    await stage.vigil.says({ id: session }, { state: 'idle', after: 'talk' })
  })

  it('[PA14] one that works is interrupted', async () => {
    expect(await vigil('interrupt', session)).toMatchObject({ code: 2 })
    await client.submit('think it over')
    await client.pane.sees(/Let me see/)
    await stage.vigil.says({ id: session }, { state: 'working' })
    const done = await vigil('interrupt', session)
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('interrupted') })
    await stage.vigil.says({ id: session }, { state: 'idle', after: 'interrupt' })
    await client.pane.sees(/Interrupted/)
  })

  it('[PA14] a dialog is not answered by an interrupt', async () => {
    await client.submit('touch it')
    await client.pane.sees(/Do you want to proceed\?/)
    await stage.vigil.says({ id: session }, { state: 'waiting' })
    const refused = await vigil('interrupt', session)
    expect(refused.stderr).toContain('it is waiting')
    await client.pane.sees(/Do you want to proceed\?/)
    await client.answer(/Do you want to proceed\?/, 'Enter')
    await client.pane.sees(/It was touched\./)
    await stage.vigil.says({ id: session }, { state: 'idle' })
  })

  it('[PA19] the live view ends typing, allows it again, and sends a prompt', async () => {
    const live = await stage.stage.open(stage.vigil.command())
    await live.sees(/idle/)
    await live.press('t')
    await live.sees(/typing is off/)
    await live.press('t')
    await live.sees(/typing is on/)
    await live.type(':from the live view')
    await live.sees(/ to project( \d)? from the live view/)
    await live.press('Enter')
    await client.pane.sees(/I hear you\./)
    await stage.vigil.says({ id: session }, { state: 'idle' })
    await live.press('q')
    await live.ended()
    expect((await acts())[0]).toBe('prompt: from the live view')
  })

  it('[PA6][PA10] a stopped client is behind its shell, which gets no keys', async () => {
    const shell = await stage.stage.open(['bash', '--norc', '--noprofile', '-i'])
    await shell.type('claude --permission-mode default')
    await shell.press('Enter')
    await shell.sees(/❯/)
    const all = async () => (await stage.vigil.status()).filter(({ state }) => state === 'idle')
    const other = await until('it is known', async () =>
      (await all()).find(({ id, tmuxPane }) => id !== session && tmuxPane === shell.id),
    )
    await stage.vigil.run(['typing', other.id, 'on'])
    expect(await screenOf(other.id)).toBe(200)
    await shell.press('C-z')
    await shell.sees(/Stopped/)
    const refused = await vigil('say', other.id, 'touch owned')
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('in its foreground') })
    expect(await screenOf(other.id)).toBe(409)
    expect(await shell.screen()).not.toContain('touch owned')
    await shell.type('fg')
    await shell.press('Enter')
    await until('it is shown', async () => (await screenOf(other.id)) === 200)
    expect(await vigil('say', other.id, 'after that')).toMatchObject({ code: 0 })
    await shell.sees(/And on it goes\./)
    await shell.close()
  })

  it('[PA10] another program in its pane gets no keys, and typing is off', async () => {
    await client.submit('/exit')
    await client.pane.ended()
    await stage.vigil.says({ id: session }, { state: 'closed' })
    const refused = await vigil('say', session, 'after that')
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('typing is off') })
    await until('it is noted', async () => (await acts())[0]?.includes('its session has ended'))
    const again = await vigil('typing', session, 'on')
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the session is closed'),
    })
  })
})
