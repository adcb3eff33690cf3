import { describe, expect, it } from 'vitest'
import { fable } from '../../test/support/fable/index.ts'
import type { Answers, AskedCall } from './answers.ts'
import { decisionOf } from './choice.ts'

const answers = fable.answers as Answers
const asked: AskedCall = {
  ...{ session: 'told', kind: 'permission', tool: 'quill', actor: null, input: { what: 'a line' } },
  ...{ cut: false, questions: [], plan: null, offers: [] },
}

describe('a choice, whichever agent asks', () => {
  it('[AN1] is decided by the agent where it fits', () => {
    expect(decisionOf(answers, asked, { choice: 'allow' })).toEqual({ output: { leave: 'given' } })
    const word = 'not today'
    expect(decisionOf(answers, asked, { choice: 'deny', word })).toEqual({
      output: { leave: 'refused' },
    })
  })

  it('[SH4] what is too long to be shown whole is denied, and not allowed', () => {
    const long = { ...asked, cut: true }
    expect(decisionOf(answers, long, { choice: 'allow' })).toMatchObject({ field: 'choice' })
    expect(decisionOf(answers, long, { choice: 'deny' })).toHaveProperty('output')
  })

  it.each([
    [{ choice: 'allow', word: 'x' }, 'word'],
    [{ choice: 'allow', answers: { a: 'b' } }, 'answers'],
    [{ choice: 'allow', suggestion: 0 }, 'suggestion'],
    [{ choice: 'deny', suggestion: 0 }, 'suggestion'],
    [{ choice: 'deny', answers: { a: 'b' } }, 'answers'],
    [{ choice: 'answer', answers: { a: 'b' } }, 'choice'],
  ] as const)('[AN8] %o fits no agent’s request', (choice, field) => {
    expect(decisionOf(answers, asked, choice)).toMatchObject({ field })
  })

  it('[AN1] a question is answered, and not merely allowed', () => {
    const question = { ...asked, kind: 'question' as const }
    expect(decisionOf(answers, question, { choice: 'allow' })).toMatchObject({ field: 'choice' })
    const more = { choice: 'answer', answers: { a: 'b' } } as const
    expect(decisionOf(answers, question, { ...more, word: 'x' })).toMatchObject({ field: 'word' })
    expect(decisionOf(answers, { ...question, cut: true }, more)).toMatchObject({ field: 'choice' })
  })
})
