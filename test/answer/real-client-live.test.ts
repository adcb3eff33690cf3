import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { say, script, tool } from '../../lab/model/script.ts'
import { PERMISSION, TOUCH } from '../../lab/scripts/common.ts'
import { AnswerStage } from './on-stage.ts'

const COLOUR = {
  question: 'Which colour?',
  header: 'Colour',
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cold' },
  ],
  multiSelect: false,
}

let on: AnswerStage | undefined
afterEach(() => on?.end())

/** The live view in one terminal, the client in another, and nothing else that could answer. */
it('[AN25] the live view allows, denies with a word and answers a question', async () => {
  const talk = script('live')
    .on('touch', TOUCH)
    .next(say('All done.'))
    .on('again', TOUCH)
    .next(say('Another way then.'))
    .on('ask', tool('AskUserQuestion', { questions: [COLOUR] }))
    .next(say('Thank you.'))
  on = await AnswerStage.open(talk)
  const { client, session } = await on.claude()
  const view = await on.stage.open(on.vigil.command())
  await view.sees(/project/)

  await on.asks(client, 'touch it', PERMISSION)
  await view.sees(/\$ touch made\.txt && sleep 1[\s\S]*y allow/)
  await sleep(700)
  await view.press('y')
  await client.pane.sees(/All done\./)

  await on.asks(client, 'again please', PERMISSION)
  await view.sees(/d deny/)
  await sleep(700)
  await view.press('d')
  await view.sees(/deny, with a message to the agent/)
  await view.type('use another name')
  await view.press('Enter')
  await client.pane.sees(/Another way then/)
  expect(on.told()).toContain('use another name')

  await on.asks(client, 'ask me', /Enter to select/)
  await view.sees(/y answer/)
  await sleep(700)
  await view.press('y')
  await view.sees(/2\. Blue: cold/)
  await view.press('2')
  await client.pane.sees(/Thank you\./)
  expect(on.told()).toContain(String.raw`\"Which colour?\"=\"Blue\"`)
  await on.withdrawn(session)
  const { acts } = await on.daemon.acts()
  expect(acts.map(({ where, words }) => `${where}: ${words}`)).toEqual([
    'live: answered Blue',
    'live: denied Bash: use another name',
    'live: allowed Bash',
  ])
})
