import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RequestChoice } from '../../protocol/request.ts'
import { type AskedCall, questionIn } from '../answers.ts'
import { askedWith } from './answer-request.ts'
import { codexPaneAnswers } from './pane-answer.ts'

const AGENT = '01a1eeb0-2134-79e1-b4d4-62d26b7368de'

/** As 0.166.0 draws it. */
const drawn = (command: string, above: string[] = [], end = '') =>
  [
    ...['› go', '', '• Running touch', '', ''],
    '  Would you like to run the following command?',
    ...[...above, '  Environment: local', '  Reason: May I?'].flatMap((line) => ['', line]),
    ...['', `  $ ${command}`, '', ''],
    '› 1. Yes, proceed (y)',
    '  2. Yes, and don’t ask again for commands that start with `touch` (p)',
    '  3. No, and tell Codex what to do differently (esc)',
    ...['', `  Press enter to confirm or esc to cancel${end}`, ''],
  ].join('\n')

const run = (command: string, more: Partial<AskedCall> = {}): AskedCall => ({
  ...{ session: 's', actor: null },
  ...askedWith({
    kind: 'permission',
    tool: 'Bash',
    input: { command, reason: 'May I?' },
    offers: [],
  }),
  ...more,
})
const allow: RequestChoice = { choice: 'allow' }
const deny: RequestChoice = { choice: 'deny' }
const keys = (screen: string, asked = run('touch a'), choice: RequestChoice | undefined = allow) =>
  codexPaneAnswers.keysFor(asked, screen, choice)
const ANOTHER = { why: 'the screen shows another dialog, or only part of this one' }

describe('a command', () => {
  it('[CX47] is allowed by y, and denied by Escape', () => {
    expect(keys(drawn('touch a'))).toEqual({ keys: ['y'] })
    expect(keys(drawn('touch a'), run('touch a'), deny)).toEqual({ keys: ['Escape'] })
    expect(codexPaneAnswers.keysFor(run('touch a'), drawn('touch a'), undefined)).toEqual({
      keys: [],
    })
  })

  it('[CX47] of several lines is compared whole', () => {
    const [several, shown] = ["cat <<'E'\n  x\n\nE", "cat <<'E'\n    x\n\n  E"]
    expect(keys(drawn(shown), run(several))).toEqual({ keys: ['y'] })
    expect(keys(drawn(`${shown}\n  more`), run(several))).toEqual(ANOTHER)
  })

  it('[CX47] of a subagent says whose it is', () => {
    const screen = drawn('touch a', ['  Thread: Agent (01a1eeb0)'], ' or o to open thread')
    expect(keys(screen, run('touch a', { actor: AGENT }))).toEqual({ keys: ['y'] })
    expect(keys(screen)).toEqual(ANOTHER)
    expect(keys(drawn('touch a'), run('touch a', { actor: AGENT }))).toEqual(ANOTHER)
  })

  it.each([
    ['another command', drawn('touch b')],
    ['a line that was wrapped', drawn('touch\n  a')],
    ['another reason', drawn('touch a').replace('May I?', 'Must I?')],
    ['another environment', drawn('touch a').replace('local', 'cloud')],
    ['no heading', drawn('touch a').replace(/ {2}Would.*/, '')],
    ['another first choice', drawn('touch a').replace('Yes, proceed', 'Yes, always')],
    ['another foot', drawn('touch a', [], ' now')],
    ['something below it', `${drawn('touch a')}\n› text\n`],
    ['nothing', ''],
  ])('[CX47] is not answered where the screen shows %s', (_, screen) => {
    expect(keys(screen)).toEqual(ANOTHER)
    expect(keys(screen, run('touch a'), deny)).toEqual(ANOTHER)
  })

  it('[CX47] takes no more than yes and no; an edit is left to its terminal', () => {
    const screen = drawn('touch a')
    expect(keys(screen, run('touch a'), { choice: 'allow', suggestion: 0 })).toHaveProperty('why')
    expect(keys(screen, run('touch a'), { choice: 'deny', word: 'no' })).toHaveProperty('why')
    expect(keys(screen, run('touch a', { tool: 'apply_patch' }))).toHaveProperty('why')
    expect(keys(screen, run('touch a', { cut: true }))).toHaveProperty('why')
  })
})

describe('a question', () => {
  const options = [{ label: 'Red (Recommended)', description: 'warm' }, { label: 'Blue' }]
  const offers = [{ id: 'c', header: 'Colour', question: 'Which colour?', options }]
  const questions = offers.flatMap((one) => questionIn(one))
  const asked: AskedCall = {
    ...{ session: 's', actor: null },
    ...askedWith({ kind: 'question', tool: 'request_user_input', input: {}, offers, questions }),
  }
  const screen = [
    ...['› go', '', '  Question 1/1 (1 unanswered)', '  Which colour?', ''],
    ...['  › 1. Red (Recommended)  warm', '    2. Blue'],
    '    3. None of the above  Optionally, add details in notes (tab)',
    ...['', '  tab to add notes | enter to submit answer | esc to interrupt'],
  ].join('\n')
  const pick = (answer: string): RequestChoice => ({
    choice: 'answer',
    answers: { 'Which colour?': answer },
  })

  it('[CX47] is answered by the number of an option, and denied by Escape', () => {
    expect(keys(screen, asked, pick('Blue'))).toEqual({ keys: ['2'] })
    expect(keys(screen, asked, deny)).toEqual({ keys: ['Escape'] })
    expect(keys(screen, asked, pick('Green'))).toHaveProperty('why')
  })

  it.each([
    ['another question', screen.replace('Which colour?', 'Which size?')],
    ['another option', screen.replace('2. Blue', '2. Green')],
    ['another description', screen.replace('warm', 'hot')],
    ['one option more', screen.replace('    3. None', '    3. Green\n    4. None')],
    ['one of two questions', screen.replace('1/1', '1/2')],
    ['notes begun', screen.replace('tab to add notes', 'tab to clear notes')],
  ])('[CX47] is not answered where the screen shows %s', (_, other) => {
    expect(keys(other, asked, pick('Blue'))).toEqual(ANOTHER)
  })
})

it('[CX47] a screen of any content gives keys or a reason', () => {
  const line = fc.oneof(fc.constantFrom(...drawn('touch a').split('\n')), fc.string())
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      expect(['keys', 'why']).toContain(Object.keys(keys(lines.join('\n')))[0])
    }),
  )
})
