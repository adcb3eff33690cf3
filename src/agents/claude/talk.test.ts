import { describe, expect, it } from 'vitest'
import { talkIn } from './talk.ts'

const said = (text: string) => entry({ type: 'text', text })
const use = (name: string, input: object) => entry({ type: 'tool_use', name, input })

function entry(...content: object[]): string {
  return JSON.stringify({ type: 'assistant', message: { content } })
}

describe('[TU23] what an agent said', () => {
  it('is its last messages, oldest first, and no other agent’s', () => {
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
    expect(talkIn(lines, 'Bash').call).toEqual({ tool: 'Bash', input: { command: 'new' } })
    expect(talkIn(lines, undefined).call).toBeNull()
  })
})
