import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { screens } from '../../../test/support/scene.ts'
import type { RequestChoice } from '../../protocol/request.ts'
import type { AskedCall } from '../answers.ts'
import { paneAnswers } from './pane-answer.ts'

const RULE = '─'.repeat(80)
const DASHES = '╌'.repeat(80)
const CHOICES = [' ❯ 1. Yes', '   2. Yes, and always allow access to', '      /p', '   3. No', '']
const FOOT = ' Esc to cancel · Tab to amend'
const ABOVE = ['❯ go', '', '● Touching', '  ⎿  $ touch a', '']

/** As 2.1.325 draws it. */
const newest = (lines: string[], heading = ' Bash command', foot = FOOT) =>
  [...ABOVE, RULE, heading, ' Tip: …', ' touch', DASHES, ...lines, DASHES]
    .concat(' Do you want to proceed?', CHOICES, foot, '', '')
    .join('\n')

/** As 2.0.50 to 2.1.220 draw it. */
const older = (lines: string[]) =>
  [...ABOVE, RULE, ' Bash command', '', ...lines, '', ' Do you want to proceed?']
    .concat(CHOICES, FOOT)
    .join('\n')

const asks = (input: object, over: Partial<AskedCall> = {}): AskedCall => ({
  ...{ session: 's', kind: 'permission', tool: 'Bash', actor: null, input, cut: false },
  ...{ questions: [], plan: null, offers: [], ...over },
})
const TOUCH = asks({ command: 'touch a', description: 'touch' })
const allow: RequestChoice = { choice: 'allow' }
const deny: RequestChoice = { choice: 'deny' }
const keys = (screen: string, asked = TOUCH, choice = allow) =>
  paneAnswers.keysFor(asked, screen, choice)
const ANOTHER = { why: 'the screen shows another dialog, or only part of this one' }

describe('a permission', () => {
  it('[AN33] is allowed once and denied by the numbers of its choices', () => {
    for (const screen of [newest([' touch a']), older(['   touch a', '   touch'])]) {
      expect(keys(screen)).toEqual({ keys: ['1'] })
      expect(keys(screen, TOUCH, deny)).toEqual({ keys: ['3'] })
      expect(paneAnswers.keysFor(TOUCH, screen, undefined)).toEqual({ keys: [] })
    }
  })

  it('[AN33] of several lines is compared whole', () => {
    const asked = asks({ command: "cat <<'E'\n  x\n\nE" })
    expect(keys(newest([" │ cat <<'E'", ' │   x', ' │', ' │ E']), asked)).toEqual({ keys: ['1'] })
    const lines = ["   cat <<'E'", '     x', '', '   E', '   Run shell command']
    expect(keys(older(lines), asked)).toEqual({ keys: ['1'] })
    expect(keys(older(lines.slice(1)), asked)).toEqual(ANOTHER)
    expect(keys(newest([' │   x', ' │', ' │ E']), asked)).toEqual(ANOTHER)
  })

  it.each([
    ['another command', newest([' touch b'])],
    ['more of it', newest([' │ touch a', ' │ touch b'])],
    ['another command, as older clients draw it', older(['   touch b', '   touch'])],
    ['another description', older(['   touch a', '   rm'])],
    ['a heading that is not known', newest([' touch a'], ' Bash command (unsandboxed)')],
    ['a subagent’s', newest([' touch a'], ' Bash command · from the helper agent')],
    ['no heading: its top is out of sight', newest([' touch a']).split(`${RULE}\n`)[1] ?? ''],
    ['a foot that is not known', newest([' touch a'], ' Bash command', ' Enter to send')],
    ['an input line below it', `${newest([' touch a'])}\n${RULE}\n❯ \n${RULE}\n`],
    ['something below it', `${newest([' touch a'])}\n● More.`],
    ['own words begun', newest([' touch a']).replace('❯ 1. Yes', '  1. Yes')],
    ['a choice not in its order', newest([' touch a']).replace('3. No', '4. No')],
    ['a prompt', screens.prompt()],
    ['nothing', ''],
  ])('[AN33] is not answered where the screen shows %s', (_, screen) => {
    expect(keys(screen)).toEqual(ANOTHER)
    expect(keys(screen, TOUCH, deny)).toEqual(ANOTHER)
  })

  it('[AN33] of a subagent may say so, and its place among several', () => {
    const heading = ' Bash command · from the general-purpose agent      1 of 2'
    expect(keys(newest([' touch a'], heading), { ...TOUCH, actor: 'a1' })).toEqual({ keys: ['1'] })
    expect(keys(newest([' touch a']), { ...TOUCH, actor: 'a1' })).toEqual({ keys: ['1'] })
    expect(keys(newest([' touch a'], ' Bash command    1 of 2'))).toEqual({ keys: ['1'] })
  })

  it('[AN33] takes no more than yes and no', () => {
    const screen = newest([' touch a'])
    expect(keys(screen, TOUCH, { choice: 'allow', suggestion: 0 })).toHaveProperty('why')
    expect(keys(screen, TOUCH, { choice: 'deny', word: 'not so' })).toHaveProperty('why')
    const old = older(['   touch a', '   touch']).replace('3. No', '3. Type here')
    expect(keys(old)).toEqual({ keys: ['1'] })
    expect(keys(old, TOUCH, deny)).toEqual({ why: 'the dialog has no plain option to deny' })
    const more = newest([' touch a']).replace('1. Yes', '1. Yes, and more')
    expect(keys(more)).toEqual({ why: 'the dialog has no plain option to allow' })
  })

  it('[AN33] that is too long, a plan, or of another tool is left to its terminal', () => {
    const screen = newest([' touch a'])
    for (const over of [{ cut: true }, { kind: 'plan' as const }, { tool: 'Edit' }])
      expect(keys(screen, { ...TOUCH, ...over })).toHaveProperty('why')
  })
})

describe('a question', () => {
  const options = [
    { label: 'Red', description: 'the Red' },
    { label: 'Blue', description: null },
  ]
  const question = { question: 'Which colour?', header: 'Colour', several: false, options }
  const asked = asks({}, { kind: 'question', tool: 'AskUserQuestion', questions: [question] })
  const drawn = (first = '❯ 1. Red', text = 'Which colour?', heading = ' ☐ Colour') =>
    [...ABOVE, RULE, heading, '', text, '', first, '     the Red', '  2. Blue']
      .concat('  3. Type something.', RULE, '  4. Chat about this', '')
      .concat('Enter to select · ↑/↓ to navigate · Esc to cancel')
      .join('\n')
  const pick = (answer: string | string[]): RequestChoice => ({
    choice: 'answer',
    answers: { 'Which colour?': answer },
  })

  it('[AN33] is answered by the number of an option, and denied by Escape', () => {
    for (const screen of [drawn(), drawn('❯ 1. Red', '│ Which colour?')]) {
      expect(keys(screen, asked, pick('Blue'))).toEqual({ keys: ['2'] })
      expect(keys(screen, asked, pick(['Red']))).toEqual({ keys: ['1'] })
      expect(keys(screen, asked, deny)).toEqual({ keys: ['Escape'] })
    }
    expect(keys(drawn(), asked, pick('Green'))).toEqual({
      why: 'your own words can only be typed in its terminal',
    })
  })

  it.each([
    ['another question', drawn('❯ 1. Red', 'Which size?')],
    ['another option', drawn('❯ 1. Rot')],
    ['one of several questions', drawn('❯ 1. Red', 'Which colour?', '←  ☐ Colour  ✔ Submit  →')],
    ['own words begun', drawn('  1. Red').replace('  3. Type', '❯ 3. Type')],
    ['another description', drawn().replace('the Red', 'the Rot')],
    ['one option more', drawn().replace('  3. Type', '  3. Green\n  4. Type')],
    ['not its end', drawn().replace(/Enter to select.*/, '')],
    ['a prompt', screens.prompt()],
  ])('[AN33] is not answered where the screen shows %s', (_, screen) => {
    expect(keys(screen, asked, pick('Blue'))).toEqual(ANOTHER)
    expect(keys(screen, asked, deny)).toEqual(ANOTHER)
  })

  it('[AN33] with several answers is left to its terminal', () => {
    const several = { ...question, several: true }
    for (const questions of [[several], [question, question], []])
      expect(keys(drawn(), { ...asked, questions }, deny)).toHaveProperty('why')
  })
})

it('[AN33] a screen of any content gives keys or a reason', () => {
  const piece = fc.constantFrom(...newest([' touch a']).split('\n'), RULE, '', 'x')
  const line = fc.oneof(piece, fc.string())
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
      expect(['keys', 'why']).toContain(Object.keys(keys(lines.join('\n')))[0])
    }),
  )
})
