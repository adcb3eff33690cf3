import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { hold, say, script, tool } from '../../lab/model/script.ts'
import { agent, PERMISSION, TOUCH } from '../../lab/scripts/common.ts'
import { until } from '../../lab/until.ts'
import { AnswerStage } from './on-stage.ts'

const TEXT = '# The plan\n\n1. Say hello.\n'
const PLAN = /Would you like to proceed\?/
const EXIT = tool('ExitPlanMode', { plan: TEXT })

let on: AnswerStage | undefined
afterEach(() => on?.end())

it('[AN14][AN15] what is answered in the terminal first is withdrawn everywhere', async () => {
  on = await AnswerStage.open(script('first').on('touch', TOUCH).next(say('All done.')))
  const { client, session } = await on.claude()
  const { id } = await on.asks(client, 'touch it', PERMISSION)
  expect(hooksOf(on)).toHaveLength(1)
  await client.answer(PERMISSION, 'Enter')
  await on.withdrawn(session)
  const late = on.daemon.answer(id, { choice: 'deny', where: 'page' })
  await expect(late).rejects.toThrow(/^the request is over: answered in its terminal \d s ago$/)
  const { stdout } = await on.vigil.run(['answer', session])
  expect(stdout).toContain('has no open request')
  await until('the hook to end', () => hooksOf(on).length === 0)
  await client.pane.sees(/All done\./)
})

it('[AN15] a dialog without an answer stays open, with a status line beside it', async () => {
  on = await AnswerStage.open(script('stands').on('touch', TOUCH).next(say('All done.')))
  await on.vigil.run(['install', '--statusline'])
  const { client, session } = await on.claude()
  const { id } = await on.asks(client, 'touch it', PERMISSION)
  // Past the client's own notification, which comes after six seconds.
  await sleep(8_000)
  expect(await on.daemon.session(session)).toMatchObject({ state: 'waiting', asks: [id] })
  await on.answer(session, 'allow')
  await client.pane.sees(/All done\./)
})

it('[AN15] Esc in the dialog ends the request, and its hook', async () => {
  on = await AnswerStage.open(script('esc').on('touch', TOUCH))
  const { client, session } = await on.claude()
  await on.asks(client, 'touch it', PERMISSION)
  await client.answer(PERMISSION, 'Escape')
  await on.withdrawn(session)
  await until('the hook to end', () => hooksOf(on).length === 0)
})

it('[AN22] a plan is rejected with a word, then approved with its edits', async () => {
  const talk = script('plan')
    .on('plan', say('I plan.'), hold('plan'), EXIT)
    .next(say('I plan again.'), hold('plan'), EXIT)
    .next(say('I proceed.'))
  on = await AnswerStage.open(talk)
  const { client, session } = await on.claude(['--permission-mode', 'plan'])
  await client.submit('plan it')
  await on.planWritten(client, TEXT)
  on.stage.model.release('plan')
  const plan = await on.asked(client, PLAN)
  expect(plan).toMatchObject({ kind: 'plan', plan: TEXT, tool: 'ExitPlanMode' })
  await on.answer(session, 'deny', '--word', 'use tabs')
  await client.pane.sees(/I plan again/)
  expect(on.told()).toContain('use tabs')
  on.stage.model.release('plan')
  const again = await on.asked(client, PLAN)
  expect(again.id).not.toBe(plan.id)
  await expect(on.daemon.answer(plan.id, { choice: 'allow', where: 'page' })).rejects.toThrow(
    /^the request is over: answered by a command/,
  )
  await on.answer(session, 'allow', '--suggestion', '0')
  await client.pane.sees(/I proceed\./)
  await client.pane.sees(/accept edits on/)
  await on.withdrawn(session)
})

it('[AN11] the dialog of a subagent in the background comes as ever', async () => {
  const talk = script('subagent')
    .on('delegate', agent('touch'))
    .next(say('It is on its way.'))
    .next(say('It is done.'))
    .on('touch', TOUCH)
    .next(say('Touched.'))
  on = await AnswerStage.open(talk)
  const { client } = await on.claude()
  await client.submit('delegate')
  await client.pane.sees(PERMISSION)
  const request = await on.request(({ actor }) => actor !== null)
  expect(request).toMatchObject({ answerable: false, why: expect.stringMatching(/^a subagent/) })
  expect(hooksOf(on)).toEqual([])
  await client.answer(PERMISSION, 'Enter')
  await client.pane.sees(/It is done\./)
})

it('[AN11] a client without a terminal is refused at once, as ever', async () => {
  on = await AnswerStage.open(script('print').on('touch', TOUCH).next(say('All done.')))
  const line = 'exec claude -p "touch it" </dev/null'
  const { stdout } = await on.stage.run(['sh', '-c', line])
  expect(stdout).toBe('All done.\n')
  expect(on.told()).toContain('"is_error":true')
  expect(existsSync(join(on.stage.place.project, 'made.txt'))).toBe(false)
})

it('[AN17] a daemon that is replaced meanwhile takes the request up again', async () => {
  on = await AnswerStage.open(script('restart').on('touch', TOUCH).next(say('All done.')))
  const { client, session } = await on.claude()
  const { id } = await on.asks(client, 'touch it', PERMISSION)
  await on.vigil.run(['stop'])
  await on.vigil.status()
  const again = await on.request(({ answerable }) => answerable)
  expect(again).toMatchObject({ id, session })
  await on.answer(session, 'allow')
  await client.pane.sees(/All done\./)
})

it('[AN13] when answering is switched off no hook waits, and the dialog stands', async () => {
  on = await AnswerStage.open(script('off').on('touch', TOUCH))
  const { client } = await on.claude()
  await on.asks(client, 'touch it', PERMISSION)
  expect(hooksOf(on)).toHaveLength(1)
  await on.vigil.run(['answers', 'off'])
  await until('the hook to end', () => hooksOf(on).length === 0)
  const { stdout } = await on.answer()
  expect(stdout).toContain(
    'cannot be answered here: answering is off; turn it on with `vigil answers on`',
  )
  expect(stdout).toMatch(/--request [\da-f]{12}/)
  await client.pane.sees(PERMISSION)
})

it('[AN19] a client that is killed takes its hook with it', async () => {
  on = await AnswerStage.open(script('killed').on('touch', TOUCH))
  const { client } = await on.claude()
  await on.asks(client, 'touch it', PERMISSION)
  expect(hooksOf(on)).toHaveLength(1)
  process.kill(client.pane.pid, 'SIGKILL')
  await until('the hook to end', () => hooksOf(on).length === 0)
})

/** Processes that wait for an answer on this stage. */
function hooksOf(stage: AnswerStage | undefined): string[] {
  const mark = `VIGIL_HOME=${join(stage?.stage.place.root ?? '', 'vigil')}\0`
  return readdirSync('/proc').filter((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')
      const isHook = line.some((word) => word.endsWith('/vigil-hook')) && line.includes('request')
      return isHook && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark)
    } catch {
      return false
    }
  })
}
