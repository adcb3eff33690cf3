import { describe, expect, it } from 'vitest'
import { Scene } from '../../../test/support/scene.ts'
import type { Session } from '../../protocol/session.ts'
import { sessionOf } from '../../protocol/session-of.ts'

const context = { machine: 'm', host: 'here', lineage: 'a', parent: undefined, live: true }

/** The prompt and reply of its row. */
function wordsOf(scene: Scene): Pick<Session, 'prompt' | 'reply'> {
  const facts = scene.sessions.facts(scene.session)
  if (!facts) throw new Error('no session')
  const { prompt, reply } = sessionOf(facts, scene.verdict(), context)
  return { prompt, reply }
}

const idle = () => new Scene().start().wait(1_000)

describe('what was said last', () => {
  it('[VW24] is the prompt, then what the agent answered, by hooks alone', () => {
    const scene = idle().prompt('fix the tests').wait(1_000)
    expect(wordsOf(scene)).toEqual({ prompt: 'fix the tests', reply: null })
    scene.stop({ last_assistant_message: 'All 12 pass.' }).wait(1_000)
    expect(wordsOf(scene)).toEqual({ prompt: 'fix the tests', reply: 'All 12 pass.' })
    expect(wordsOf(scene.prompt('now push'))).toEqual({ prompt: 'now push', reply: null })
  })

  it('[VW24] is the same by the transcript alone, in whatever order the two come', () => {
    const told = { prompt: 'fix the tests', reply: 'All 12 pass.' }
    expect(wordsOf(idle().typed('fix the tests').wait(500).said('All 12 pass.'))).toEqual(told)
    const late = idle().prompt('fix the tests').wait(900)
    late.stop({ last_assistant_message: 'All 12 pass.' }).wait(900)
    late.typed('fix the tests', 1_700).said('Let me see.', null, 1_500)
    expect(wordsOf(late)).toEqual(told)
  })

  it('[VW24] is what the screen shows of an error', () => {
    const error = { error: 'unknown', last_assistant_message: 'API Error: 400 scripted' }
    const hook = idle().prompt('go').wait(10).hook('StopFailure', error)
    expect(wordsOf(hook).reply).toBe('API Error: 400 scripted')
    const content = [{ type: 'text', text: 'API Error: 400 scripted' }]
    const message = { model: '<synthetic>', stop_reason: 'stop_sequence', content }
    const entry = { type: 'assistant', isApiErrorMessage: true, error: 'unknown', message }
    expect(wordsOf(idle().typed('go').wait(10).entry(entry)).reply).toBe('API Error: 400 scripted')
  })

  it('[VW24] is nothing that a client or a subagent wrote', () => {
    const scene = idle().prompt('go').wait(10)
    scene.prompt('<task-notification>\n<task-id>a</task-id>')
    scene.typed('<command-name>/model</command-name>')
    scene.entry({ type: 'user', isMeta: true, message: { content: 'Caveat' } })
    const filler = [{ type: 'text', text: 'No response requested.' }]
    scene.entry({ type: 'assistant', message: { model: '<synthetic>', content: filler } })
    const helper = { isSidechain: true, agentId: 'a1', type: 'assistant' }
    scene.entry({ ...helper, message: { content: [{ type: 'text', text: 'I am a helper.' }] } })
    scene.answered('tool-1')
    expect(wordsOf(scene)).toEqual({ prompt: 'go', reply: null })
  })

  it('[F1] is kept by its first 200 characters', () => {
    const long = 'x'.repeat(5_000)
    const scene = idle().prompt(long).wait(10).stop({ last_assistant_message: long })
    const { prompt, reply } = wordsOf(scene)
    for (const text of [prompt, reply]) expect(text).toBe(`${'x'.repeat(199)}…`)
  })
})
