import { afterEach, describe, expect, it } from 'vitest'
import { say, script } from '../../lab/model/script.ts'
import { noClient } from '../lab/need.ts'
import { DONE, LoopStage, talk, turns } from './on-stage.ts'

let on: LoopStage

afterEach(async () => {
  await on?.end()
})

/** What was said of a session while `act` lasted, one state after another. */
async function statesDuring(session: string, act: () => Promise<unknown>): Promise<string[]> {
  const pane = await on.stage.open(['sh', '-c', watchLine(session)])
  await act()
  await pane.close()
  const { stdout } = await on.stage.run(['cat', `${on.stage.place.root}/watched`])
  const lines = stdout.split('\n').filter((line) => line.includes(session))
  return lines.map((line) => JSON.parse(line).state)
}

function watchLine(session: string): string {
  const watch = on.vigil.command('watch', '--json').map((word) => `'${word}'`)
  return `${watch.join(' ')} | grep --line-buffered ${session} > ${on.stage.place.root}/watched`
}

describe.skipIf(noClient())('a loop of the real client', () => {
  it('[LP82] [T13] runs to its signal, and is at work all the time', async () => {
    const last = [say(`All is mended.\n\n${DONE}`, { overMs: 300 })]
    on = await LoopStage.open(turns('three', ...talk(2, 1_000), last))
    const { client, session } = await on.claude()
    const states = await statesDuring(session, async () => {
      const { stdout } = await on.start(session, '--max', '5')
      expect(stdout).toMatch(/typed|told/)
      await client.pane.sees(/Part 1 of it/)
      await on.vigil.says({ id: session }, { state: 'working' })
      const { loop } = await on.vigil.says({ id: session }, { state: 'working' })
      expect(loop).toMatchObject({ max: 5 })
      const ended = await on.ended(session)
      expect(ended).toMatchObject({ event: 'DONE', reason: 'COMPLETE', iteration: 2 })
      await on.vigil.says({ id: session }, { state: 'idle' })
    })
    const from = states.indexOf('working')
    const until = states.lastIndexOf('working')
    expect(new Set(states.slice(from, until + 1))).toEqual(new Set(['working']))
    const steps = await on.steps(session)
    expect(steps.map(({ kind }) => kind).filter((kind) => kind === 'iteration')).toHaveLength(2)
    expect(steps.at(-1)?.said).toContain('All is mended')
    const asked = on.stage.model.requests.length
    expect(asked).toBeGreaterThanOrEqual(3)
  })

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

  it('[LP78] is paused by Esc, and goes on when it is resumed', async () => {
    const talk = turns('esc', [say('One.')], [say('A long story. '.repeat(40), { overMs: 20_000 })])
    on = await LoopStage.open(talk.on(/^\[ITERATION/, say(`Well.\n\n${DONE}`)))
    const { client, session } = await on.claude()
    await on.start(session)
    await client.pane.sees(/A long story/)
    await client.pane.press('Escape')
    const paused = await on.becomes(session, ({ hold }) => hold !== null)
    expect(paused.hold).toMatchObject({ kind: 'paused', why: 'interrupted by its user' })
    await client.pane.sees(/Interrupted/)
    await on.vigil.run(['loop', 'resume', session])
    expect(await on.ended(session)).toMatchObject({ reason: 'COMPLETE' })
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
    const { hold, iteration } = await on.becomes(id, (loop) => loop.hold !== null)
    expect({ hold: hold?.kind, iteration }).toEqual({ hold: 'paused', iteration: 0 })
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
