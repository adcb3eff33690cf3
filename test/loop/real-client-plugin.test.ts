import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { say, script } from '../../lab/model/script.ts'
import { DONE, LoopStage, turns } from './on-stage.ts'

let on: LoopStage

afterEach(async () => {
  await on?.end()
})

describe('the plugin of the real client, with the real daemon', () => {
  it('[LP41] /vigil:loop begins a loop in its own session, and tells when it is over', async () => {
    const begun = script('plugin').on('Begin with the task', say('Part 1.', { overMs: 500 }))
    on = await LoopStage.open(begun.next(say('Part 2.')).next(say(`Mended.\n\n${DONE}`)))
    await on.vigil.run(['install', '--plugin'])
    const other = await on.claude()
    const { client, session } = await on.claudeWithPlugin()
    await client.submit('/vigil:loop --max 5 --patience 0 mend the engine --until false')
    await client.pane.sees(/Mended/)
    const ended = await on.ended(session)
    expect(ended).toMatchObject({ reason: 'COMPLETE', iteration: 2, max: 5 })
    expect(ended).toMatchObject({ prompt: 'mend the engine --until false', until: null })
    await expect(on.loop(other.session)).rejects.toThrow(/is not in a loop/)
  })

  it('[LP41] /vigil:stop ends it after Esc has paused it', async () => {
    const long = say('A long story. '.repeat(40), { overMs: 30_000 })
    const begun = turns('stop', [say('One.')], [long])
    on = await LoopStage.open(begun.on('what became of', say('It is over.')))
    await on.vigil.run(['install', '--plugin'])
    const { client, session } = await on.claudeWithPlugin()
    await client.submit('/vigil:loop mend the engine')
    await client.pane.sees(/A long story/)
    await client.pane.press('Escape')
    await on.becomes(session, ({ hold }) => hold?.kind === 'paused')
    await client.pane.sees(/Interrupted/)
    await client.submit('/vigil:stop')
    await client.pane.sees(/It is over/)
    expect(await on.ended(session)).toMatchObject({ event: 'ABORT', reason: 'USER_CANCELLED' })
  })

  // 2.1.220 reports what was typed only after it has run the plugin's command.
  it.each([undefined, '2.1.220'])(
    '[WD13][WD14] what is pasted behind /vigil:loop is the task, whatever it says (client %s)',
    async (version) => {
      const begun = script('pasted').on('Begin with the task', say('Part 1.', { overMs: 300 }))
      on = await LoopStage.open(begun.next(say(`Mended.\n\n${DONE}`)), { version })
      await on.vigil.run(['install', '--plugin'])
      const { client, session } = await on.claudeWithPlugin()
      const marks = ['a', 'b', 'c'].map((name) => join(on.stage.place.root, `ran-${name}`))
      const task = [
        `mend it !\`touch ${marks[0]}\``,
        'END_OF_THE_TASK',
        `touch ${marks[1]}`,
        '```!',
        `touch ${marks[2]}`,
        '```',
        `--until "touch ${marks[0]}"`,
      ].join('\n')
      await client.pane.type('/vigil:loop --max 4 ')
      await client.pane.sees(/--max 4/)
      await client.pane.paste(task)
      await client.pane.sees(/Pasted text|--until/)
      await client.pane.press('Enter')
      await client.pane.sees(/Mended/)
      const ended = await on.ended(session)
      expect(ended).toMatchObject({ prompt: task, max: 4, until: null, reason: 'COMPLETE' })
      expect(marks.filter((path) => existsSync(path))).toEqual([])
    },
  )
})
