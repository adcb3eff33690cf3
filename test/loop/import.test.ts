import { describe, expect, it } from 'vitest'
import { BY_USER, LoopRig } from '../support/loops.ts'

const GOES_ON = (n: number, max: number) =>
  `[ITERATION ${n}/${max}] Continue working on the task. Check your progress and either ` +
  'complete the task or keep iterating.'

describe('a state from elsewhere', () => {
  const STATE = {
    schema: 1,
    event: 'STATE',
    run_id: 'loop-1766311800-4711',
    updated_at: '',
    stack: [{ id: 'f', mode: 'loop', iter: 3, max: 10, prompt_file: 'PROMPT.md' }],
  }

  it('is taken up where it was, and given back as it is', async () => {
    const rig = new LoopRig()
    rig.prompt('one')
    const updated = new Date(rig.now - 1_000).toISOString()
    rig.loops.import('one', JSON.stringify({ ...STATE, updated_at: updated }), BY_USER)
    expect(await rig.stop('one')).toEqual({ act: 'block', reason: GOES_ON(4, 10) })
    const state = rig.loops.export('one')
    expect(state).toMatchObject({ run_id: STATE.run_id, stack: [{ iter: 4, max: 10 }] })
    rig.loops.stop('one', 'enough', BY_USER)
    const again = rig.loops.import('one', JSON.stringify(state), BY_USER)
    expect(again.id).not.toBe(STATE.run_id)
    expect(() => rig.loops.import('one', '{', BY_USER)).toThrow(/loop already/)
  })

  it('that is none is refused; a corrupt one lets the agent stop', async () => {
    const rig = new LoopRig()
    rig.prompt('one')
    expect(() => rig.loops.import('one', '{', BY_USER)).toThrow(/state/)
    const corrupt = { ...STATE, updated_at: new Date(rig.now).toISOString() }
    const stack = [{ ...STATE.stack[0], iter: 'three' }]
    rig.loops.import('one', JSON.stringify({ ...corrupt, stack }), BY_USER)
    expect((await rig.stop('one')).act).toBe('allow')
    expect(rig.loops.list({ all: true })[0]).toMatchObject({ state: 'ABORTED', open: false })
  })
})
