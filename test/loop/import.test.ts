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

  it.each([
    [{ updated_at: 'yesterday' }, 'state: updated_at: expected a time like 2027-01-15T08:00:00Z'],
    [{ updated_at: 7 }, 'state: updated_at: expected'],
    [{ stack: [{ vigil: { deadlineAt: null } }] }, 'state: stack[0].vigil.deadlineAt: expected'],
    [{ stack: [{}, { vigil: { budgetUsd: null } }] }, 'state: stack[1].vigil.budgetUsd: expected'],
  ])('[LP69] with %o is refused, and the field is named', (over, message) => {
    const rig = new LoopRig()
    rig.prompt('one')
    const { updated_at: _, ...state } = STATE
    const text = JSON.stringify({ ...state, ...over })
    expect(() => rig.loops.import('one', text, BY_USER)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringContaining(message) }),
    )
    expect(rig.loops.list({ all: true })).toEqual([])
  })

  it.each([
    [{ event: 'ABORT', reason: 'USER_CANCELLED' }, 'ABORTED', 'USER_CANCELLED'],
    [{ event: 'DONE', reason: 'MAX_ITERATIONS' }, 'STUCK', 'MAX_ITERATIONS'],
    [{ event: 'PAUSE' }, 'ABORTED', null],
  ])('[LP69] that is over with %o keeps no frame', async (over, state, reason) => {
    const rig = new LoopRig()
    rig.prompt('one')
    const updated_at = new Date(rig.now).toISOString()
    const text = JSON.stringify({ ...STATE, updated_at, ...over })
    const found = rig.loops.import('one', text, BY_USER)
    expect(found).toMatchObject({ open: false, frames: [], state, reason, iteration: 3, max: 10 })
    expect((await rig.stop('one')).act).toBe('allow')
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
