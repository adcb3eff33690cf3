import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Client } from '../../lab/drive/client.ts'
import { hold, say, script, tool } from '../../lab/model/script.ts'
import { PERMISSION, TOUCH } from '../../lab/scripts/common.ts'
import { openBrowser } from '../support/browser.ts'
import { builtPage } from '../support/built-page.ts'
import { choose, QUIET_MS } from '../support/page-stage.ts'
import { AnswerStage } from './on-stage.ts'

/** Longer than a page is remembered that was closed; `LATE_MS` tries another. */
const LATE_MS = Number(process.env.LATE_MS ?? 75_000)

const COLOUR = {
  question: 'Which colour?',
  header: 'Colour',
  options: [
    { label: 'Red', description: 'warm' },
    { label: 'Blue', description: 'cold' },
  ],
  multiSelect: false,
}
const TEXT = '# The plan\n\n1. Say hello.\n'

const talk = script('late')
  .on('touch', TOUCH)
  .next(say('Touched it.'))
  .on('ask', tool('AskUserQuestion', { questions: [COLOUR] }))
  .next(say('Heard you.'))
  .on('plan', say('I plan.'), hold('plan'), tool('ExitPlanMode', { plan: TEXT }))
  .next(say('I proceed.'))

type Kind = 'permission' | 'question' | 'plan'
const SURFACES = ['command', 'page', 'live view'] as const
type Surface = (typeof SURFACES)[number]

const DONE = { permission: /Touched it\./, question: /Heard you\./, plan: /I proceed\./ }

let on: AnswerStage
let browser: Browser
beforeAll(async () => {
  await builtPage()
  browser = await openBrowser()
})
afterEach(() => on?.end())
afterAll(() => browser?.close())

/** A client each, all of them asking; no page and no live view is open. */
async function asking(kind: Kind) {
  const args = kind === 'plan' ? ['--permission-mode', 'plan'] : []
  const { client, session } = await on.claude(args)
  if (kind === 'permission') await on.asks(client, 'touch it', PERMISSION)
  if (kind === 'question') await on.asks(client, 'ask me', /Enter to select/)
  if (kind === 'plan') await planned(client)
  return { kind, client, session }
}

async function planned(client: Client): Promise<void> {
  await client.submit('plan it')
  await on.planWritten(client, TEXT)
  on.stage.model.release('plan')
  await on.asked(client, /Would you like to proceed\?/)
}

const ANSWERS: Readonly<Record<Surface, (kind: Kind, session: string) => Promise<void>>> = {
  command: async (kind, session) => {
    const { stdout } = await on.vigil.run(['answer', session, '--json'])
    const [{ code }] = JSON.parse(stdout) as [{ readonly code: string }]
    const choice = kind === 'question' ? ['pick', '2'] : ['allow']
    await on.vigil.run(['answer', session, ...choice, '--request', code])
  },
  // The one that is left stands first.
  'live view': async (kind) => {
    const view = await on.stage.open(on.vigil.command())
    await view.sees(kind === 'question' ? /y answer/ : kind === 'plan' ? /y approve/ : /y allow/)
    await sleep(700)
    await view.press('y')
    if (kind !== 'question') return
    await view.sees(/2\. Blue: cold/)
    await view.press('2')
  },
  page: async (kind, session) => {
    const { stdout } = await on.vigil.run(['open', '--print'])
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(/http:\S+/.exec(stdout)?.[0] ?? '')
    await page.waitForTimeout(QUIET_MS)
    await choose(page, session)
    const request = page.locator('.request')
    await request.waitFor()
    await page.waitForTimeout(QUIET_MS)
    if (kind === 'question') await page.getByRole('radio', { name: /Blue/ }).check()
    const name = { permission: /Allow once/, question: 'Answer', plan: /Approve/ }[kind]
    await request.getByRole('button', { name, exact: true }).click()
    await request.waitFor({ state: 'detached' })
    await page.close()
  },
}

const WAITED = ['2.1.220', '2.1.325']

/** Each kind by another surface; `LATE_TURN` tries the others. */
const TURN = Number(process.env.LATE_TURN ?? 0)

it.each(WAITED)(
  `[AN10] client %s is answered ${LATE_MS} ms after it asked, with no view open till then`,
  { timeout: 300_000 + LATE_MS },
  async (version) => {
    on = await AnswerStage.open(talk, version)
    const asked = [
      await asking('permission'),
      await asking('question'),
      await asking('plan'),
    ] as const
    await sleep(LATE_MS)
    for (const [at, surface] of SURFACES.entries()) {
      const one = asked[((at + TURN) % 3) as 0 | 1 | 2]
      await ANSWERS[surface](one.kind, one.session)
      await one.client.pane.sees(DONE[one.kind])
    }
    const { acts } = await on.daemon.acts()
    const answers = acts.filter(({ what }) => what === 'answer')
    expect(answers.map(({ where }) => where).toSorted()).toEqual(['cli', 'live', 'page'])
  },
)
