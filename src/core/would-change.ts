import type { State, Verdict } from './verdict.ts'

/** What would change this verdict, in words for its user. */
export function wouldChange(verdict: Verdict): readonly string[] {
  if (verdict.state === 'waiting') return [ANSWERS[verdict.for ?? 'dialog'], ...CHANGES.waiting]
  return CHANGES[verdict.state]
}

const ANSWERS: Readonly<Record<NonNullable<Verdict['for']>, string>> = {
  permission: 'allowing or refusing it makes it work on',
  question: 'an answer makes it work on',
  plan: 'approving the plan, or saying what to change, makes it work on',
  dialog: 'closing the dialog brings back the state before it',
}

const CHANGES: Readonly<Record<State, readonly string[]>> = {
  starting: ['its first word: a hook, its own status, or an input line on its screen'],
  working: [
    'the end of the turn, an interrupt or an API error ends it',
    'a permission, a question or a plan makes it wait for you',
    'two minutes without a sign of life, with no tool and no task running, make it stuck',
  ],
  waiting: ['an interrupt makes it idle'],
  background: ['the last of its tasks ending makes it work on their results, or idle'],
  idle: ['a prompt makes it work', 'the end of its process closes it'],
  error: ['a prompt starts a turn anew', 'the end of its process closes it'],
  stuck: ['any sign of life makes it working again', 'the end of its process closes it'],
  closed: ['resuming it opens it again'],
  unknown: ['any word of a source about it'],
}
