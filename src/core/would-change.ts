import type { State, Verdict } from './verdict.ts'

/** What would change this verdict, in words for its user. */
export function wouldChange(verdict: Verdict): readonly string[] {
  const { state, detached } = verdict
  const answer = state === 'waiting' ? [ANSWERS[verdict.for ?? 'dialog']] : []
  const changes = [...answer, ...CHANGES[state]]
  return detached ? [...changes.filter((change) => change !== ENDS), ...SERVER_ENDS] : changes
}

const ENDS = 'if its process ends, it is closed'
/** SPEC C7. */
const SERVER_ENDS = [
  'if you attach a terminal, it is no longer detached',
  'if its agent’s server ends or unloads it, it is closed',
]

const ANSWERS: Readonly<Record<NonNullable<Verdict['for']>, string>> = {
  permission: 'if you allow or deny it, the agent continues',
  question: 'if you answer, the agent continues',
  plan: 'if you approve the plan or say what to change, the agent continues',
  dialog: 'if you close the dialog, the session returns to its state before',
}

const CHANGES: Readonly<Record<State, readonly string[]>> = {
  starting: ['its first hook, its own status, or an input line on its screen'],
  working: [
    'the end of the turn, an interrupt or an API error ends the work',
    'if it asks for a permission, an answer or a plan, it waits for you',
    'after two minutes without activity, with no tool and no task running, it is stuck',
  ],
  waiting: ['if you interrupt it, it is idle'],
  background: ['when the last task ends, it works on the results or is idle'],
  idle: ['if you send a prompt, it works', ENDS],
  error: ['if you send a prompt, a new turn starts', ENDS],
  stuck: ['any activity makes it working again', ENDS],
  closed: ['if you resume it, it is open again'],
  unknown: ['any report about it'],
}
