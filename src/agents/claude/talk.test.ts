import { describe, expect, it } from 'vitest'
import { talkIn } from './talk.ts'

const said = (text: string) => entry({ type: 'text', text })
const use = (name: string, input: object) => entry({ type: 'tool_use', name, input })

function entry(...content: object[]): string {
  return JSON.stringify({ type: 'assistant', message: { content } })
}

const linesFor = (tool: string, input: object) =>
  talkIn([use(tool, input)], tool).call?.lines.map(({ sign, text }) => `${sign} ${text}`)

describe('[TU23] what an agent said', () => {
  it('is its last messages, oldest first, and nobody else’s', () => {
    const user = JSON.stringify({
      type: 'user',
      message: { content: [{ type: 'text', text: 'u' }] },
    })
    const lines = ['a', 'b', 'c', 'd'].map(said)
    expect(talkIn([...lines, user], undefined).said).toEqual(['b', 'c', 'd'])
  })

  it.each(['', '{', 'null', '[]', '{"type":"assistant","message":3}', entry({ type: 'text' })])(
    'is nothing in %j',
    (line) => {
      expect(talkIn([line], 'Bash')).toEqual({ said: [], call: null })
    },
  )
})

describe('[TU23] what it asks for', () => {
  it('is the newest call of the tool that is asked about', () => {
    const lines = [
      use('Bash', { command: 'old' }),
      use('Bash', { command: 'new' }),
      use('Read', {}),
    ]
    expect(talkIn(lines, 'Bash').call?.lines).toEqual([{ sign: '$', text: 'new' }])
    expect(talkIn(lines, undefined).call).toBeNull()
  })

  it('is a command', () => {
    expect(linesFor('Bash', { command: 'a\nb', description: 'c' })).toEqual(['$ a', '$ b'])
  })

  it('is a question with its answers', () => {
    const options = [{ label: 'A', description: 'first' }, { label: 'B' }]
    const questions = [{ question: 'Which?', options }]
    expect(linesFor('AskUserQuestion', { questions })).toEqual(['? Which?', '• A: first', '• B'])
  })

  it('is a plan', () => {
    expect(linesFor('ExitPlanMode', { plan: '# Plan\n\n1. go' })).toEqual([' # Plan', ' 1. go'])
  })

  it('is what an edit changes, without what stays', () => {
    const edit = { file_path: '/a.ts', old_string: 'x\nold\ny', new_string: 'x\nnew\nmore\ny' }
    expect(linesFor('Edit', edit)).toEqual([' /a.ts', '- old', '+ new', '+ more'])
    const { file_path, ...change } = edit
    expect(linesFor('MultiEdit', { file_path, edits: [change] })).toHaveLength(4)
  })

  it('is what is written', () => {
    expect(linesFor('Write', { file_path: '/a', content: 'b' })).toEqual([' /a', '+ b'])
  })

  it('is for other tools what they are given', () => {
    expect(linesFor('mcp__x', { url: 'u', n: 3 })).toEqual([' url: u', ' n: 3'])
  })

  it('has an end', () => {
    expect(linesFor('Bash', { command: 'x\n'.repeat(1000) })).toHaveLength(60)
  })
})
