import { afterEach, describe, expect, it } from 'vitest'
import { say, script } from '../../lab/model/script.ts'
import { DONE, LoopStage, talk, turns } from './on-stage.ts'

let on: LoopStage

afterEach(async () => {
  await on?.end()
})

describe('a loop of the real client', () => {
  it('[LP6][LP40] of thirty runs to its limit, past the client’s own', async () => {
    on = await LoopStage.open(turns('thirty', ...talk(31, 0)))
    const { session } = await on.claude()
    await on.start(session, '--max', '30', '--patience', '0')
    const ended = await on.ended(session, { withinMs: 120_000 })
    expect(ended).toMatchObject({ reason: 'MAX_ITERATIONS', state: 'STUCK', iteration: 30 })
    const steps = await on.steps(session)
    const counted = steps.filter(({ kind }) => kind === 'iteration')
    expect(counted.map(({ iteration }) => iteration)).toEqual(
      Array.from({ length: 30 }, (_, n) => n + 1),
    )
  })

  it('[LP9] is not ended by a signal that it only shows', async () => {
    const shown = [say(`So one ends it:\n\n\`\`\`\n${DONE}\n\`\`\`\n\nNot yet.`)]
    on = await LoopStage.open(turns('fence', shown, [say(`Now.\n\n${DONE}`)]))
    const { session } = await on.claude()
    await on.start(session)
    expect(await on.ended(session)).toMatchObject({ reason: 'COMPLETE', iteration: 1 })
  })

  it('[LP21][LP68] is stopped from another terminal: the next Stop is let through', async () => {
    on = await LoopStage.open(turns('stopped', ...talk(20, 2_000)))
    const { client, session } = await on.claude()
    await on.start(session, '--max', '15')
    await client.pane.sees(/Part 2 of it/)
    await on.vigil.run(['loop', 'stop', session])
    const { reason } = await on.ended(session)
    expect(reason).toBe('USER_CANCELLED')
    await on.vigil.says({ id: session }, { state: 'idle' })
    expect(await client.pane.screen()).not.toContain('Part 4')
  })

  it('[LP76] leaves a session beside it in the same folder alone', async () => {
    const one = turns('two', ...talk(2, 1_500), [say(`Mended.\n\n${DONE}`)])
    on = await LoopStage.open(one.on('hello', say(`Hello. ${DONE}\n\n${DONE}`)))
    const { session } = await on.claude()
    const { client, session: other } = await on.claude()
    await on.start(session, '--max', '5')
    await client.submit('hello')
    await client.pane.sees(/● Hello/)
    await on.vigil.says({ id: other }, { state: 'idle', loop: null })
    expect(await on.ended(session)).toMatchObject({ reason: 'COMPLETE', iteration: 2 })
    expect(on.stage.model.requests.filter(({ prompt }) => prompt === 'hello')).toHaveLength(1)
  })

  it('[LP80] goes on through its pane where the client ends it after eight blocks', async () => {
    const settings = { env: { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '8' } }
    const again = script('cap')
      .on(/^\[ITERATION 9/, say('On.'))
      .next(say(`Done.\n\n${DONE}`))
    const talked = turns('cap', ...talk(9, 0))
    on = await LoopStage.open(
      again.exchanges.reduce((all, { prompt, replies: [first = [], ...rest] }) => {
        const begun = all.on(prompt, ...first)
        return rest.reduce((more, reply) => more.next(...reply), begun)
      }, talked),
      { settings },
    )
    const { session } = await on.claude()
    const { stdout } = await on.start(session, '--max', '20', '--patience', '0')
    expect(stdout).toMatch(/eight|8/)
    const ended = await on.ended(session, { withinMs: 60_000 })
    expect(ended).toMatchObject({ reason: 'COMPLETE', iteration: 10 })
  })

  it('[LP1] is let go when its environment says so', async () => {
    on = await LoopStage.open(turns('off', ...talk(2)))
    const client = await on.stage.claude([], { env: { IDLE_LOOP_DISABLE: '1' } })
    const { id } = await on.vigil.says({ pid: client.pane.pid }, { state: 'idle' })
    await on.start(id)
    await client.pane.sees(/Part 1 of it/)
    await on.vigil.says({ id }, { state: 'idle' })
    expect(await on.loop(id)).toMatchObject({ state: 'ACTIVE', iteration: 0, hold: null })
    expect(await client.pane.screen()).not.toContain('ITERATION')
  })

  it('[LP41][LP66][LP85] is begun and ended from within, also while it works', async () => {
    const told = turns('plugin', ...talk(20, 2_000))
    on = await LoopStage.open(told.on('what became of the loop', say('It is over.')))
    await on.vigil.run(['install', '--plugin'])
    const { client, session } = await on.claude()
    await client.submit('/vigil:loop --max 15 mend the engine')
    await client.pane.sees(/Part 2 of it/)
    await client.submit('/vigil:stop')
    expect(await on.ended(session)).toMatchObject({ reason: 'USER_CANCELLED', max: 15 })
    await client.pane.sees(/It is over/)
    expect(await client.pane.screen()).not.toContain('Part 5')
  })
})
