import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { choiceWords } from '../../daemon/requests/choice-words.ts'
import type { RequestChoice } from '../../protocol/request.ts'
import type { AskedCall } from '../answers.ts'
import { decisionOf } from '../choice.ts'
import { DENIED_TEXT, outputOf } from './answer.ts'
import { suggestionsOf } from './answer-offers.ts'
import { askedIn, waitsForAnswer } from './answer-request.ts'

const RULE = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'npm test' }],
  behavior: 'allow',
  destination: 'localSettings',
}
const EDITS = { type: 'setMode', mode: 'acceptEdits', destination: 'session' }

function asked(tool: string, input: object, more: object = {}): AskedCall {
  const payload = {
    session_id: 'one',
    hook_event_name: 'PermissionRequest',
    tool_name: tool,
    tool_input: input,
    ...more,
  }
  const found = askedIn({ t: 1, source: 'hook', payload })
  if (!found) throw new Error('nothing is asked')
  return found
}

const bash = asked('Bash', { command: 'npm test' }, { permission_suggestions: [RULE, EDITS] })
const colour = { question: 'Which colour?', header: 'Colour', multiSelect: false }
const size = { question: 'Which size?', header: 'Size', multiSelect: true }
const options = [{ label: 'Small', description: 'the small one' }, { label: 'Large' }]
const question = asked('AskUserQuestion', {
  questions: [
    { ...colour, options },
    { ...size, options },
  ],
  metadata: { source: 'x' },
})
const plan = asked('ExitPlanMode', { plan: '# The plan', planFilePath: '/p.md' })

const output = (request: AskedCall, choice: RequestChoice) =>
  decisionOf({ suggestionsOf, outputOf }, request, choice)

function decided(request: AskedCall, choice: RequestChoice) {
  const made = output(request, choice)
  return 'misfit' in made ? made : made.output.hookSpecificOutput.decision
}

describe('a choice as the client’s own decision', () => {
  it('[AN1] allow is allow, also of a plan, and never of a question', () => {
    const decision = { behavior: 'allow' }
    expect(output(bash, { choice: 'allow' })).toEqual({
      output: { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } },
    })
    const updatedInput = plan.input
    expect(decided(plan, { choice: 'allow' })).toEqual({ behavior: 'allow', updatedInput })
    expect(decided(question, { choice: 'allow' })).toMatchObject({ field: 'choice' })
  })

  it('[AN2] deny tells the agent the word, else that its user said no', () => {
    const told = (word?: string) =>
      decided(bash, { choice: 'deny', ...(word !== undefined && { word }) })
    expect(told(' use another name ')).toEqual({ behavior: 'deny', message: 'use another name' })
    for (const nothing of [undefined, '', ' \n'])
      expect(told(nothing)).toEqual({ behavior: 'deny', message: DENIED_TEXT })
    expect(decided(question, { choice: 'deny' })).toMatchObject({ behavior: 'deny' })
  })

  it('[AN3] a suggestion goes back to the client as it came', () => {
    const made = decided(bash, { choice: 'allow', suggestion: 1 })
    expect(made).toEqual({ behavior: 'allow', updatedPermissions: [EDITS] })
    expect(bash.offers[0]).toBe(RULE)
    expect(suggestionsOf(plan)).toEqual([{ index: 0, words: 'accept every edit in this session' }])
    expect(decided(plan, { choice: 'allow', suggestion: 0 })).toEqual({
      behavior: 'allow',
      updatedInput: plan.input,
      updatedPermissions: [EDITS],
    })
    for (const suggestion of [2, -1, 0.5])
      expect(decided(bash, { choice: 'allow', suggestion })).toMatchObject({ field: 'suggestion' })
  })

  it('[AN3] what is named like a property of every object is not offered', () => {
    const offers = [
      { ...RULE, destination: 'constructor' },
      { ...EDITS, mode: 'toString' },
      { ...EDITS, mode: '__proto__' },
    ]
    expect(suggestionsOf({ offers })).toEqual([])
  })

  it('[AN4] answers go along with the whole of the question', () => {
    const answers = { 'Which colour?': 'Small', 'Which size?': ['Small', 'my own'] }
    expect(decided(question, { choice: 'answer', answers })).toEqual({
      behavior: 'allow',
      updatedInput: {
        ...(question.input as object),
        answers: { 'Which colour?': 'Small', 'Which size?': 'Small, my own' },
      },
    })
  })

  it('[AN4] a question’s words may be anything at all', () => {
    const odd = asked('AskUserQuestion', { questions: [{ question: '__proto__', options }] })
    const made = decided(odd, { choice: 'answer', answers: JSON.parse('{"__proto__":"Large"}') })
    expect(JSON.stringify(made)).toContain('"answers":{"__proto__":"Large"}')
  })

  it.each([
    ['none', {}],
    ['not all', { 'Which colour?': 'Small' }],
    ['an empty one', { 'Which colour?': ' ', 'Which size?': 'Large' }],
    ['several where one is meant', { 'Which colour?': ['a', 'b'], 'Which size?': 'Large' }],
    [
      'an answer without a question',
      { 'Which colour?': 'a', 'Which size?': 'b', 'Which way?': 'c' },
    ],
  ])('[AN8] answers that do not fit are refused: %s', (_, answers) => {
    expect(decided(question, { choice: 'answer', answers })).toMatchObject({ field: 'answers' })
  })

  it('[AN8] nothing is taken that belongs to another choice', () => {
    const wrong: [AskedCall, RequestChoice, string][] = [
      [bash, { choice: 'allow', word: 'x' }, 'word'],
      [bash, { choice: 'allow', answers: {} }, 'answers'],
      [bash, { choice: 'deny', suggestion: 0 }, 'suggestion'],
      [bash, { choice: 'answer', answers: {} }, 'choice'],
      [plan, { choice: 'answer', answers: {} }, 'choice'],
      [question, { choice: 'answer', answers: {}, word: 'x' }, 'word'],
      [question, { choice: 'answer', answers: {}, suggestion: 0 }, 'suggestion'],
    ]
    for (const [request, choice, field] of wrong)
      expect(decided(request, choice)).toMatchObject({ field })
  })

  it('[AN21] a choice is one line of text', () => {
    const answers = { 'Which colour?': 'Small', 'Which size?': ['a', 'b'] }
    const words: [AskedCall, RequestChoice, string][] = [
      [bash, { choice: 'allow' }, 'allowed Bash'],
      [
        bash,
        { choice: 'allow', suggestion: 0 },
        'allowed Bash, and to always allow npm test in this project',
      ],
      [bash, { choice: 'deny', word: 'not now' }, 'denied Bash: not now'],
      [plan, { choice: 'allow' }, 'approved the plan'],
      [plan, { choice: 'deny' }, 'rejected the plan'],
      [question, { choice: 'answer', answers }, 'answered Small · a, b'],
      [question, { choice: 'deny' }, 'denied the question'],
    ]
    for (const [request, choice, said] of words)
      expect(choiceWords(request, choice, suggestionsOf(request))).toBe(said)
  })
})

describe('what is asked', () => {
  it('[AN3] suggestions are put into words, and only those that can be', () => {
    const rules = (destination: string, ...given: object[]) => ({
      ...RULE,
      destination,
      rules: given,
    })
    const offers: [unknown, string | undefined][] = [
      [RULE, 'always allow npm test in this project'],
      [EDITS, 'accept every edit in this session'],
      [
        { type: 'addDirectories', directories: ['/a', '/b'], destination: 'session' },
        'always allow work in /a, /b in this session',
      ],
      [rules('userSettings', { toolName: 'WebFetch' }), 'always allow WebFetch in every project'],
      [
        rules('projectSettings', { toolName: 'Read', ruleContent: '//etc/**' }),
        'always allow Read(//etc/**) in this project, for all its users',
      ],
      [rules('session'), undefined],
      [rules('session', { toolName: 'Bash' }, {}), undefined],
      [rules('moon', { toolName: 'Bash' }), undefined],
      [{ ...RULE, behavior: 'deny' }, undefined],
      [{ ...EDITS, mode: 'bypassPermissions' }, undefined],
      [{ type: 'sing', destination: 'session' }, undefined],
      [null, undefined],
    ]
    const told = suggestionsOf({ offers: offers.map(([offer]) => offer) })
    const expected = offers.flatMap(([, words], index) => (words ? [{ index, words }] : []))
    expect(told).toEqual(expected)
  })

  it('[AN7] questions, plan, command and subagent are distinguished', () => {
    expect(question).toMatchObject({ kind: 'question', plan: null, actor: null, cut: false })
    expect(question.questions).toEqual([
      {
        question: 'Which colour?',
        header: 'Colour',
        several: false,
        options: [
          { label: 'Small', description: 'the small one' },
          { label: 'Large', description: null },
        ],
      },
      expect.objectContaining({ several: true }),
    ])
    expect(plan).toMatchObject({ kind: 'plan', plan: '# The plan', questions: [] })
    expect(bash).toMatchObject({ kind: 'permission', input: { command: 'npm test' } })
    expect(asked('Bash', {}, { agent_id: 'a1' }).actor).toBe('a1')
  })

  it('[AN11] a subagent’s hook does not wait, whatever it says', () => {
    const report = (more: object, asks?: number) => ({
      t: 1,
      source: 'hook' as const,
      payload: more,
      env: { asks },
    })
    expect(waitsForAnswer(report({}, 1))).toBe(true)
    expect(waitsForAnswer(report({ agent_id: 'a1' }, 1))).toBe(false)
    expect(waitsForAnswer(report({}))).toBe(false)
  })

  it('[SH4] what is too long to be shown whole is denied, and not allowed', () => {
    const long = asked('Bash', { command: 'x'.repeat(300_000) })
    expect(decided(long, { choice: 'allow' })).toMatchObject({
      misfit: 'the request is too long to be answered from here',
    })
    expect(decided(long, { choice: 'deny' })).toMatchObject({ behavior: 'deny' })
  })

  it('[AN5] an input is complete up to 256 KB, then cut', () => {
    const write = (length: number) =>
      asked('Write', { file_path: '/f', content: 'x'.repeat(length) })
    expect(write(200_000)).toMatchObject({ cut: false, input: { content: 'x'.repeat(200_000) } })
    const long = write(3_000_000)
    expect(long.cut).toBe(true)
    expect(long.input).toMatchObject({ file_path: '/f' })
    const many = asked('Write', { edits: Array.from({ length: 300_000 }, () => ({ a: 'b' })) })
    for (const { input } of [long, many]) expect(JSON.stringify(input).length).toBeLessThan(600_000)
    const asks = asked('AskUserQuestion', {
      questions: [{ question: 'x'.repeat(300_000), options }],
    })
    const [{ question: words } = { question: '' }] = asks.questions
    expect(decided(asks, { choice: 'answer', answers: { [words]: 'a' } })).toMatchObject({
      misfit: 'the request is too long to be answered from here',
    })
  })

  it('[AN7] any payload gives a request or none, never an error', () => {
    const payload = fc.oneof(
      fc.anything(),
      fc.record({
        session_id: fc.constant('one'),
        hook_event_name: fc.constant('PermissionRequest'),
        tool_name: fc.constantFrom('Bash', 'AskUserQuestion', 'ExitPlanMode', 7),
        tool_input: fc.jsonValue(),
        permission_suggestions: fc.jsonValue(),
      }),
    )
    fc.assert(
      fc.property(payload, fc.jsonValue(), (given, answers) => {
        const found = askedIn({ t: 1, source: 'hook', payload: given })
        if (!found) return
        suggestionsOf(found)
        for (const choice of ['allow', 'deny', 'answer'] as const)
          output(found, { choice, answers: { q: String(answers) } })
      }),
    )
  })
})
