import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { say, script } from '../../lab/model/script.ts'
import { PERMISSION, TOUCH } from '../../lab/scripts/common.ts'
import { AnswerStage } from './on-stage.ts'

let on: AnswerStage | undefined
afterEach(() => on?.end())

it('[AN34] client 2.0.50, whose hook does not wait, is answered in its pane', async () => {
  on = await AnswerStage.open(script('old').on('touch', TOUCH).next(say('All done.')), '2.0.50')
  const { client, session } = await on.claude()
  await on.vigil.run(['typing', session, 'on'])
  await on.asks(client, 'touch it', PERMISSION)
  await expect(on.answer(session, 'deny')).rejects.toThrow('the dialog has no plain option to deny')
  await on.answer(session, 'allow')
  await client.pane.sees(/All done\./)
  expect(existsSync(join(on.stage.place.project, 'made.txt'))).toBe(true)
  await on.withdrawn(session)
})
