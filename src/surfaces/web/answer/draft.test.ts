import { describe, expect, it } from 'vitest'
import type { RequestQuestion } from '../../../protocol/request.ts'
import { allowing, answersOf, denying, NOTHING_CHOSEN, ownPicked, picked } from './draft.ts'

const options = ['Red', 'Blue'].map((label) => ({ label, description: null }))
const one: RequestQuestion = { question: 'Which?', header: null, several: false, options }
const many: RequestQuestion = { ...one, question: 'Which ones?', several: true }
const questions = [one, many]

describe('[PG17] an answer', () => {
  it('is there only when every question has one', () => {
    const first = picked(NOTHING_CHOSEN, one, 'Red')
    expect(answersOf({ questions }, [first, NOTHING_CHOSEN])).toBeNull()
    expect(answersOf({ questions }, [first])).toBeNull()
    const second = picked(picked(NOTHING_CHOSEN, many, 'Blue'), many, 'Red')
    expect(answersOf({ questions }, [first, second])).toEqual({
      choice: 'answer',
      answers: { 'Which?': 'Red', 'Which ones?': ['Red', 'Blue'] },
      where: 'page',
    })
  })

  it('of one choice has one, of several those that are left', () => {
    const again = picked(picked(NOTHING_CHOSEN, one, 'Red'), one, 'Blue')
    expect(again.picked).toEqual(['Blue'])
    const off = picked(picked(NOTHING_CHOSEN, many, 'Red'), many, 'Red')
    expect(off.picked).toEqual([])
  })

  it('may be words of one’s own, beside others where several may be chosen', () => {
    const own = { ...ownPicked(picked(NOTHING_CHOSEN, one, 'Red'), one), words: ' Green ' }
    expect(answersOf({ questions: [one] }, [own])?.answers).toEqual({ 'Which?': 'Green' })
    const both = { ...ownPicked(picked(NOTHING_CHOSEN, many, 'Red'), many), words: 'Green' }
    expect(answersOf({ questions: [many] }, [both])?.answers).toEqual({
      'Which ones?': ['Red', 'Green'],
    })
    expect(answersOf({ questions: [one] }, [{ ...own, words: '  ' }])).toBeNull()
  })

  it('to a request for permission says where it came from, and no more than was said', () => {
    expect(allowing()).toEqual({ choice: 'allow', where: 'page' })
    expect(allowing(1)).toEqual({ choice: 'allow', suggestion: 1, where: 'page' })
    expect(denying('  ')).toEqual({ choice: 'deny', where: 'page' })
    expect(denying(' use pnpm ')).toEqual({ choice: 'deny', word: 'use pnpm', where: 'page' })
  })
})
