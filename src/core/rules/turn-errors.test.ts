import { describe, expect, it } from 'vitest'
import { Scene } from '../../../test/support/scene.ts'

const working = () => new Scene().start().wait(1_000).prompt().wait(1_000)
const failed = () => working().hook('StopFailure', { error: 'overloaded' })
const marked = {
  type: 'assistant',
  isApiErrorMessage: true,
  error: 'rate_limit',
  message: { role: 'assistant', content: [{ type: 'text', text: 'Try again later.' }] },
}
const over = { type: 'system', subtype: 'turn_duration', durationMs: 1_000 }
const retry = { type: 'system', subtype: 'api_error', retryAttempt: 2 }

describe('a turn that dies', () => {
  it('[E1] StopFailure makes the session error, with its cause', () => {
    const error = { state: 'error', cause: 'overloaded', rule: 'E1' }
    expect(failed().verdict()).toMatchObject(error)
    expect(failed().wait(3_600_000).verdict()).toMatchObject(error)
  })

  it('[E1] so does an API error message in the transcript', () => {
    const scene = working().entry(marked)
    expect(scene.verdict()).toMatchObject({ state: 'error', cause: 'rate_limit', rule: 'E1' })
  })

  it('[E1] the length of the turn written after it does not hide that', () => {
    expect(failed().wait(500).entry(over).state()).toBe('error')
  })

  it('[E1] the good end of another turn, which no prompt announced, does', () => {
    const scene = working()
      .hook('StopFailure', { error: 'server_error', prompt_id: 'p1' })
      .wait(800)
    expect(scene.state()).toBe('error')
    expect(scene.stop({ prompt_id: 'p2' }).state()).toBe('idle:talk')
    const same = working().hook('StopFailure', { error: 'server_error', prompt_id: 'p1' }).wait(800)
    expect(same.stop({ prompt_id: 'p1' }).state()).toBe('error')
  })

  it("[E1] a subagent's API error is not the session's", () => {
    const scene = working().entry({ ...marked, isSidechain: true, agentId: 'agent-a' })
    expect(scene.state()).toBe('working')
  })

  it('[E2] a retry is working, not error', () => {
    const scene = working().entry(retry).wait(500)
    expect(scene.verdict()).toMatchObject({ state: 'working', doing: { what: 'retrying' } })
    expect(scene.said('Here', null).verdict().doing).toMatchObject({ what: 'thinking' })
  })

  it.each<[string, (scene: Scene) => Scene]>([
    ['a prompt', (scene) => scene.prompt('try again')],
    ["a task's notice", (scene) => scene.prompt('<task-notification>\n<task-id>b</task-id>')],
    ['a compaction by hand', (scene) => scene.hook('PreCompact', { trigger: 'manual' })],
  ])('[E3] the next turn ends it: %s', (_what, start) => {
    const scene = start(failed().wait(5_000))
    expect(scene.state()).toBe('working')
  })

  it('[E3] the end of the next turn does not bring it back', () => {
    const scene = failed().wait(1_000).prompt('again').wait(1_000).stop()
    expect(scene.state()).toBe('idle:talk')
  })

  it.each<[string, (scene: Scene) => Scene, string]>([
    ['its last word', (scene) => scene.said('It works now.'), 'idle:talk'],
    ['a call', (scene) => scene.called('Bash', 'tool-9'), 'working'],
    ['output', (scene) => scene.said('Let me see.', null), 'working'],
  ])('[M5] what the transcript shows 2 s past an error ends it: %s', (_what, show, state) => {
    expect(show(failed().wait(3_000)).state()).toBe(state)
  })
})
