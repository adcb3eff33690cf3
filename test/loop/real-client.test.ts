import { afterEach, describe, expect, it } from 'vitest'
import { say } from '../../lab/model/script.ts'
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

describe('a loop of the real client', () => {
  it('[LP82] [T13] runs to its signal, and is at work all the time', async () => {
    const last = [say(`All is mended.\n\n${DONE}`, { overMs: 300 })]
    on = await LoopStage.open(turns('three', ...talk(2, 1_000), last))
    const { client, session } = await on.claude()
    const states = await statesDuring(session, async () => {
      const { stdout } = await on.start(session, '--max', '5')
      expect(stdout).toMatch(/vigil has sent the prompt|The agent gets the prompt/)
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

  it('[LP78] is paused by Esc, and goes on when it is resumed', async () => {
    const talk = turns('esc', [say('One.')], [say('A long story. '.repeat(40), { overMs: 20_000 })])
    on = await LoopStage.open(talk.on(/^\[ITERATION/, say(`Well.\n\n${DONE}`)))
    const { client, session } = await on.claude()
    await on.start(session)
    await client.pane.sees(/A long story/)
    await client.pane.press('Escape')
    const paused = await on.becomes(session, ({ hold }) => hold !== null)
    expect(paused.hold).toMatchObject({ kind: 'paused', why: 'interrupted by you' })
    await client.pane.sees(/Interrupted/)
    await on.vigil.run(['loop', 'resume', session])
    expect(await on.ended(session)).toMatchObject({ reason: 'COMPLETE' })
  })
})
