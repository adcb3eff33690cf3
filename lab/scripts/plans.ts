import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Conversation } from '../conversation.ts'
import type { Run, Seat } from '../drive/run.ts'
import { hold, say, tool } from '../model/script.ts'
import { until } from '../until.ts'
import { editHello, readHello } from './common.ts'

/** With a plan; without one the client asks only whether to leave its mode. */
const PLAN = /Would you like to proceed\?/
const LEAVE = /Exit plan mode\?/

const TEXT = '# The plan\n\n1. Say hello.\n'
const EXIT = tool('ExitPlanMode', { plan: TEXT })
const ARGS = ['--permission-mode', 'plan']

/** Comes slowly, so that the work after the answer counts. */
const PROCEED = say('I proceed.', { overMs: 1000 })

/** The model plans, and holds until the plan is written. */
const PLANNING = [say('I plan.'), hold('plan'), EXIT] as const

export const plans: readonly Conversation[] = [
  {
    name: 'plan_approve',
    shows: 'A plan is approved, and the turn goes on.',
    args: ARGS,
    model: (talk) => talk.on('plan', ...PLANNING).next(PROCEED),
    async user(run) {
      const claude = await planned(run)
      await run.stay()
      await claude.answer(PLAN, 'Enter')
      await claude.becomes('idle')
    },
  },
  {
    name: 'plan_reject',
    shows: 'Esc where the client asks to leave plan mode ends the turn; no plan was written.',
    since: '2.1.100',
    args: ARGS,
    model: (talk) => talk.on('plan', say('I plan.'), EXIT),
    async user(run) {
      const claude = await run.begin('plan it')
      await claude.replyTo(LEAVE, 'Escape')
      await claude.becomes('idle')
    },
  },
  {
    name: 'plan_escape',
    shows: 'Esc in the dialog of a plan ends the turn; no hook tells it.',
    args: ARGS,
    model: (talk) => talk.on('plan', ...PLANNING),
    async user(run) {
      const claude = await planned(run)
      await run.stay()
      await claude.answer(PLAN, 'Escape')
      await claude.becomes('idle')
    },
  },
  {
    name: 'plan_left',
    shows: 'A plan without an answer waits, past the client’s own notification.',
    args: ARGS,
    model: (talk) => talk.on('plan', ...PLANNING),
    async user(run) {
      await planned(run)
      await run.hook('Notification')
      await run.stay()
    },
  },
  {
    name: 'plan_feedback',
    shows: 'A plan is sent back with words: the turn goes on, and plans again.',
    since: '2.1.100',
    args: ARGS,
    model: (talk) =>
      talk
        .on('plan', ...PLANNING)
        .next(PROCEED, EXIT)
        .next(PROCEED),
    async user(run) {
      const claude = await planned(run)
      await run.stay()
      await claude.press('3')
      await claude.sees(/❯ 3\./)
      await claude.type('use tabs')
      await claude.sees(/❯ 3\. use tabs/)
      await claude.answer(PLAN, 'Enter')
      await claude.replyTo(PLAN, 'Enter')
      await claude.becomes('idle')
    },
  },
  {
    name: 'plan_auto',
    shows: 'A plan is approved with the edits to come: an edit runs without a dialog after it.',
    args: ARGS,
    model: (talk, place) =>
      talk
        .on('plan', ...PLANNING)
        .next(readHello(place))
        .next(editHello(place))
        .next(PROCEED),
    async user(run) {
      const claude = await planned(run)
      await run.stay()
      await claude.sees(/❯ 1\. Yes, (and )?(use auto mode|auto-accept edits)/)
      await claude.answer(PLAN, '1')
      await claude.becomes('idle')
    },
  },
]

/**
 * A client that shows a plan. It names the plan’s file only to the model, in its request; the lab’s
 * user writes the file in the model’s place. 2.0.50 has no such file and uses the tool’s input.
 */
async function planned(run: Run): Promise<Seat> {
  const claude = await run.begin('plan it')
  await until('the request', () => run.model.requests.some(({ scripted }) => scripted))
  const path = planFileOf(run)
  if (path) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, TEXT)
  }
  run.model.release('plan')
  await claude.becomes('waiting')
  return claude
}

function planFileOf({ model }: Run): string | undefined {
  const asked = JSON.stringify(model.requests.map(({ body }) => body?.messages))
  return /\/[^\s"`]*\/plans\/[\w-]+\.md/.exec(asked)?.[0]
}
