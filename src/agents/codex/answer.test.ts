import { describe, expect, it } from 'vitest'
import type { RequestChoice } from '../../protocol/request.ts'
import type { AskedCall } from '../answers.ts'
import { decisionOf } from '../choice.ts'
import { codexAnswers } from './answer.ts'
import { askedOnServer } from './answer-request.ts'

const IDS = { threadId: 't', turnId: 'u', itemId: 'i', startedAtMs: 1 }
const asked = (method: string, params: object, changes?: unknown): AskedCall => ({
  ...{ session: 't', actor: null },
  ...(askedOnServer(method, { ...IDS, ...params })?.callWith(changes) as AskedCall),
})
const command = (params: object) =>
  asked('item/commandExecution/requestApproval', {
    ...{ kind: 'command', environmentId: 'local', cwd: '/p', ...params },
  })
const AMENDED = { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['npm', 'test'] } }
const RUN = command({
  command: "/bin/bash -lc 'npm test'",
  reason: 'May I?',
  availableDecisions: ['accept', AMENDED, 'cancel'],
})
const CHANGE = asked('item/fileChange/requestApproval', { reason: null, grantRoot: null }, [
  {
    path: '/p/a',
    kind: { type: 'update', move_path: null },
    diff: '@@ -1,2 +1,2 @@\n k\n-x\n+y\n',
  },
  { path: '/p/b', kind: { type: 'add' }, diff: 'new\n' },
  { path: '/p/c', kind: { type: 'delete' }, diff: 'old\n' },
])
const options = [{ label: 'Red', description: 'warm' }, { label: 'Blue' }]
const question = (more: object = {}) =>
  asked('item/tool/requestUserInput', {
    isBlocking: true,
    questions: [
      { id: 'colour', header: 'Colour', question: 'Which?', isOther: true, options, ...more },
    ],
  })
const output = (call: AskedCall, choice: RequestChoice) => decisionOf(codexAnswers, call, choice)

describe('what is shown', () => {
  it('[CX46] a command is the script of its shell, with the shell and all other fields', () => {
    expect(RUN).toMatchObject({ kind: 'permission', tool: 'Bash', cut: false })
    const input = { command: 'npm test', shell: '/bin/bash -lc', cwd: '/p', reason: 'May I?' }
    expect(RUN.input).toEqual(input)
    const network = { host: 'example.org', protocol: 'https' }
    const other = command({ kind: 'writeStdin', networkApprovalContext: network, newField: 1 })
    expect(other.input).toMatchObject({ kind: 'writeStdin', networkApprovalContext: network })
    expect(other.input).toHaveProperty('newField')
  })

  it.each([
    [`/bin/bash -lc 'echo '"'"'a'"'"' b'`, "echo 'a' b"],
    [`/usr/bin/zsh -c "echo \\"x\\""`, 'echo "x"'],
    ['bash -lc ls', 'ls'],
  ])('[CX46] the script in %s is read with its quotes', (line, script) => {
    expect(command({ command: line }).input).toMatchObject({ command: script })
  })

  it.each([
    "bash -lc 'a' 'b'",
    "bash -lc 'a' && rm x",
    'python -c x',
    "bash -lc 'a",
    'bash -lc $x',
  ])('[CX46] %s is shown as it is', (line) => {
    expect(command({ command: line }).input).toMatchObject({ command: line })
    expect(command({ command: line }).input).not.toHaveProperty('shell')
  })

  it('[CX46] a file change is each of its files, before and after', () => {
    expect(CHANGE).toMatchObject({ kind: 'permission', tool: 'apply_patch' })
    expect(CHANGE.input).toEqual({
      changes: [
        { path: '/p/a', before: 'k\nx', after: 'k\ny' },
        { path: '/p/b', action: 'add', after: 'new\n' },
        { path: '/p/c', action: 'delete', before: 'old\n', after: '' },
      ],
    })
    const odd = '@@ -1 +1 @@\n-x\n+y\n\\ No newline at end of file\n'
    const [shown] = [asked('item/fileChange/requestApproval', {}, [{ path: '/p/a', diff: odd }])]
    expect(shown?.input).toEqual({ changes: [{ path: '/p/a', diff: odd }] })
  })

  it('[CX46] a question is its text and options', () => {
    expect(question().questions).toEqual([
      {
        ...{ question: 'Which?', header: 'Colour', several: false },
        options: [
          { label: 'Red', description: 'warm' },
          { label: 'Blue', description: null },
        ],
      },
    ])
    expect(question().input).toEqual({
      questions: [{ header: 'Colour', question: 'Which?', options }],
    })
  })
})

describe('an answer', () => {
  it('[CX43] allows once, for the session, or what begins alike', () => {
    expect(output(RUN, { choice: 'allow' })).toEqual({ output: { decision: 'accept' } })
    expect(codexAnswers.suggestionsOf(RUN)).toEqual([
      { index: 0, words: 'always allow this command in this session' },
      { index: 1, words: 'always allow commands that start with npm test in every project' },
    ])
    const session = output(RUN, { choice: 'allow', suggestion: 0 })
    expect(session).toEqual({ output: { decision: 'acceptForSession' } })
    expect(output(RUN, { choice: 'allow', suggestion: 1 })).toEqual({
      output: { decision: AMENDED },
    })
    expect(output(RUN, { choice: 'allow', suggestion: 2 })).toHaveProperty('misfit')
  })

  it('[CX43] offers nothing without words, or more than this command', () => {
    const deny = { host: 'h', action: 'deny' }
    const odd = command({
      networkApprovalContext: { host: 'h', protocol: 'https' },
      availableDecisions: [
        { new: 1 },
        { applyNetworkPolicyAmendment: { network_policy_amendment: deny } },
      ],
    })
    expect(codexAnswers.suggestionsOf(odd)).toEqual([])
  })

  it('[CX43] denies without ending the turn; a question is left without answers', () => {
    const deny = { choice: 'deny', word: 'no' } as const
    expect(output(RUN, deny)).toEqual({ output: { decision: 'decline' } })
    expect(output(question(), deny)).toEqual({ output: { answers: {} } })
    const child = { ...RUN, actor: 'c' }
    expect(output(child, { choice: 'deny' })).toEqual({ output: { decision: 'decline' } })
    expect(output(child, deny)).toMatchObject({ field: 'word' })
  })

  it('[CX43] to a question is one of its options, or own words', () => {
    const pick = (answer: string): RequestChoice => ({
      choice: 'answer',
      answers: { 'Which?': answer },
    })
    const given = (answer: string) => ({ output: { answers: { colour: { answers: [answer] } } } })
    expect(output(question(), pick('Blue'))).toEqual(given('Blue'))
    expect(output(question(), pick('green'))).toEqual(given('green'))
    expect(output(question({ isOther: false }), pick('green'))).toHaveProperty('misfit')
    expect(output(question(), { choice: 'answer', answers: {} })).toHaveProperty('misfit')
    const extra = { 'Which?': 'Red', 'Why?': 'so' }
    expect(output(question(), { choice: 'answer', answers: extra })).toHaveProperty('misfit')
  })

  it('[CX43] leaves a secret, and a change whose files are not known, to the terminal', () => {
    const secret = question({ isSecret: true })
    expect(output(secret, { choice: 'answer', answers: { 'Which?': 'x' } })).toHaveProperty(
      'misfit',
    )
    const unknown = asked('item/fileChange/requestApproval', { reason: 'so' })
    expect(output(unknown, { choice: 'allow' })).toHaveProperty('misfit')
    expect(output(unknown, { choice: 'deny' })).toEqual({ output: { decision: 'decline' } })
    expect(output(CHANGE, { choice: 'allow' })).toEqual({ output: { decision: 'accept' } })
  })

  it('[CX43] does not fit another kind of request, or one that is cut', () => {
    const cut = { ...RUN, cut: true }
    expect(output(cut, { choice: 'allow' })).toHaveProperty('misfit')
    expect(output(question(), { choice: 'allow' })).toHaveProperty('misfit')
    expect(output(RUN, { choice: 'answer', answers: { x: 'y' } })).toHaveProperty('misfit')
    expect(output(RUN, { choice: 'allow', word: 'x' })).toHaveProperty('misfit')
    expect(output(RUN, { choice: 'deny', suggestion: 0 })).toHaveProperty('misfit')
  })
})
