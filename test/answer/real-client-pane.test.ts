import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { say, script, tool } from '../../lab/model/script.ts'
import { agent, PERMISSION, TOUCH } from '../../lab/scripts/common.ts'
import { until } from '../../lab/until.ts'
import type { OpenRequest } from '../../src/protocol/request.ts'
import { AnswerStage } from './on-stage.ts'

let on: AnswerStage | undefined
afterEach(() => on?.end())

const exists = (name: string) => existsSync(join(on?.stage.place.project ?? '', name))
const made = () => exists('made.txt')

function delegated(name: string) {
  return script(name)
    .on('delegate', agent('touch'))
    .next(say('It is on its way.'))
    .next(say('It is done.'))
    .on('touch', TOUCH)
    .next(say('Touched.'))
}

it('[AN34][AN33] a subagent’s dialog is allowed in its pane, once typing is allowed', async () => {
  on = await AnswerStage.open(delegated('subagent'))
  const { client, session } = await on.claude()
  await client.submit('delegate')
  await client.pane.sees(PERMISSION)
  const off = await on.request(({ why }) => why?.includes('typing is off') === true)
  expect(off).toMatchObject({ answerable: false, actor: expect.any(String) })
  expect(off.why).toContain(`vigil typing ${session.slice(0, 8)} on\``)
  const { stdout } = await on.vigil.run(['answer', session])
  expect(stdout).toContain(`its terminal: vigil jump ${session.slice(0, 8)}`)
  const refused = on.answer(session, 'allow')
  await expect(refused).rejects.toThrow(/no request can be answered here/)
  expect(made()).toBe(false)

  await on.vigil.run(['typing', session, 'on'])
  const { id } = await on.request(({ answerable }) => answerable)
  expect((await on.daemon.session(session))?.asks).toEqual([id])
  await on.answer(session, 'allow')
  await client.pane.sees(/It is done\./)
  expect(made()).toBe(true)
  await on.withdrawn(session)
  const { acts } = await on.daemon.acts({ session, limit: 10 })
  expect(acts.map(({ what, words }) => `${what}: ${words}`)).toEqual([
    'answer: allowed Bash',
    'typing: allowed typing',
  ])
})

it('[AN33] a dialog that is denied in its pane is refused', async () => {
  on = await AnswerStage.open(delegated('denied'))
  const { client, session } = await on.claude()
  await on.vigil.run(['typing', session, 'on'])
  await client.submit('delegate')
  await on.asked(client, PERMISSION)
  await on.answer(session, 'deny')
  await client.pane.sees((screen) => !PERMISSION.test(screen))
  await on.withdrawn(session)
  expect(made()).toBe(false)
})

it('[AN33] of two dialogs the one on the screen is answered, and no other', async () => {
  const talk = script('two')
    .on('delegate', agent('first'), agent('second'))
    .next(say('They are on their way.'))
    .next(say('One is done.'))
    .next(say('Both are done.'))
    .on('first', tool('Bash', { command: 'touch first.txt', description: 'touch' }))
    .next(say('Touched.'))
    .on('second', tool('Bash', { command: 'touch second.txt', description: 'touch' }))
    .next(say('Touched.'))
  on = await AnswerStage.open(talk)
  const { client, session } = await on.claude()
  await on.vigil.run(['typing', session, 'on'])
  await client.submit('delegate')
  await client.pane.sees(/1 of 2/)
  const shown = await on.request(({ answerable }) => answerable)
  const hidden = await on.request(({ why }) => why?.includes('shows another dialog') === true)
  const allow = ({ id, digest }: OpenRequest) =>
    on?.daemon.answer(id, { choice: 'allow', where: 'page', shown: digest })
  await expect(allow(hidden)).rejects.toThrow(/the screen shows another dialog/)
  await allow(shown)
  const next = await on.request(({ answerable }) => answerable)
  expect(next.id).toBe(hidden.id)
  await allow(next)
  await on.withdrawn(session)
  await until('both files', () => exists('first.txt') && exists('second.txt'))
})

it('[AN35] a session without hooks is answered in its pane', async () => {
  const options = ['Red', 'Blue'].map((label) => ({ label, description: `the ${label}` }))
  const question = { question: 'Which colour?', header: 'Colour', multiSelect: false, options }
  const talk = script('mute')
    .on('touch', TOUCH)
    .next(tool('AskUserQuestion', { questions: [question] }))
    .next(say('All done.'))
  on = await AnswerStage.openWithoutHooks(talk)
  const { client, session } = await on.claude()
  await client.submit('touch it')
  await client.pane.sees(PERMISSION)
  const off = await on.request(({ why }) => why?.includes('typing is off') === true)
  expect(off).toMatchObject({ tool: 'Bash', input: { command: 'touch made.txt && sleep 1' } })
  const { stdout } = await on.vigil.run(['answer', session])
  expect(stdout).toContain(`vigil typing ${session.slice(0, 8)} on\``)
  expect(stdout).toContain(`its terminal: vigil jump ${session.slice(0, 8)}`)
  await on.vigil.run(['typing', session, 'on'])
  await on.request(({ answerable }) => answerable)
  await on.answer(session, 'allow')
  await client.pane.sees(/Which colour\?/)
  expect(made()).toBe(true)
  await on.request(({ answerable, kind }) => answerable && kind === 'question')
  await on.answer(session, 'pick', '2')
  await client.pane.sees(/All done\./)
  expect(on.told()).toContain('Blue')
  await on.withdrawn(session)
})
