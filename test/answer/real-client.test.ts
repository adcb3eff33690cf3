import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { say, script, tool } from '../../lab/model/script.ts'
import { PERMISSION, TOUCH } from '../../lab/scripts/common.ts'
import { isAtLeast } from '../../src/agents/version.ts'
import { VERSIONS } from '../support/versions.ts'
import { AnswerStage } from './on-stage.ts'

const QUESTION = /Enter to select/
const BUILD = tool('Bash', { command: 'sh build.sh', description: 'build' })

let on: AnswerStage | undefined
afterEach(() => on?.end())

function question(header: string, labels: readonly string[], multiSelect = false) {
  const options = labels.map((label) => ({ label, description: `the ${label}` }))
  return { question: `Which ${header.toLowerCase()}?`, header, options, multiSelect }
}

/** Everything one client is asked in one conversation. */
const talk = script('answers')
  .on('touch', TOUCH)
  .next(say('All done.'))
  .on('refuse', TOUCH)
  .next(say('Another way then.'))
  .on('build', BUILD)
  .next(BUILD)
  .next(say('Built twice.'))
  .on('ask one', tool('AskUserQuestion', { questions: [question('Colour', ['Red', 'Blue'])] }))
  .next(say('Thank you for one.'))
  .on(
    'ask two',
    tool('AskUserQuestion', {
      questions: [
        question('Shape', ['Round', 'Flat']),
        question('Size', ['Small', 'Large', 'Huge'], true),
      ],
    }),
  )
  .next(say('Thank you for two.'))

/** Those that tell whose request it is. */
const ANSWERED = VERSIONS.filter((version) => isAtLeast(version, '2.1.69'))

describe.each(ANSWERED)('client %s', (version) => {
  it('[AN22] is allowed, denied with a word, and answered, its dialog standing', async () => {
    on = await AnswerStage.open(talk, version)
    const { client, session } = await on.claude()
    const made = join(on.stage.place.project, 'made.txt')

    const permission = await on.asks(client, 'touch it', PERMISSION)
    expect(permission).toMatchObject({ session, kind: 'permission', tool: 'Bash', actor: null })
    expect(permission.input).toMatchObject({ command: 'touch made.txt && sleep 1' })
    expect((await on.answer(session, 'allow')).stdout).toContain('allowed')
    await client.pane.sees(/All done\./)
    expect(existsSync(made)).toBe(true)
    await on.withdrawn(session)

    await on.asks(client, 'refuse it', PERMISSION)
    await on.answer(session, 'deny', '--word', 'use another "name"')
    await client.pane.sees(/Another way then/)
    expect(on.told()).toContain(String.raw`use another \"name\"`)

    const asked = await on.asks(client, 'ask one', QUESTION)
    expect(asked).toMatchObject({ kind: 'question', tool: 'AskUserQuestion' })
    await on.answer(session, 'pick', '2')
    await client.pane.sees(/Thank you for one/)
    expect(on.told()).toContain(String.raw`\"Which colour?\"=\"Blue\"`)
    await on.withdrawn(session)
  })

  it('[AN22] is asked several questions, and given several answers and own words', async () => {
    on = await AnswerStage.open(talk, version)
    const { client, session } = await on.claude()
    await on.asks(client, 'ask two', /Which shape/)
    await on.answer(session, 'pick', 'none of these, a cube', 'Small,3')
    await client.pane.sees(/Thank you for two/)
    expect(on.told()).toContain(String.raw`\"Which shape?\"=\"none of these, a cube\"`)
    expect(on.told()).toContain(String.raw`\"Which size?\"=\"Small, Huge\"`)
    const { stdout } = await on.vigil.run(['answers', 'log', '--json'])
    expect(JSON.parse(stdout)).toMatchObject([
      {
        session,
        what: 'answer',
        where: 'cli',
        words: 'answered none of these, a cube · Small, Huge',
      },
    ])
  })

  it('[AN22] is allowed with its own suggestion, and asks no more', async () => {
    on = await AnswerStage.open(talk, version)
    const { client, session } = await on.claude()
    const { suggestions } = await on.asks(client, 'build it', PERMISSION)
    expect(suggestions).toEqual([{ index: 0, words: 'always allow sh build.sh in this project' }])
    await on.answer(session, 'allow', '--suggestion', '0')
    await client.pane.sees(/Built twice/)
    const settings = join(on.stage.place.project, '.claude/settings.local.json')
    expect(readFileSync(settings, 'utf8')).toContain('Bash(sh build.sh)')
  })
})
