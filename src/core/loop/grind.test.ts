import { describe, expect, it } from 'vitest'
import { decided, NOW, run } from '../../../test/support/loop-machine.ts'
import { ISSUE_MAX, NEXT_MAX_MS } from '../limits.ts'
import type { LoopRun, RunFrame } from './run.ts'
import type { NextItem } from './stop.ts'

const source = { kind: 'checklist', path: 'TASKS.md' } as const
const DONE = '<issue-complete>DONE</issue-complete>'

const grinding = (over: Partial<RunFrame> = {}) =>
  run({ mode: 'grind', max: 100, source, prompt: 'One commit each.', patience: 3, ...over })

function item(id: string): NextItem {
  return { item: { id, title: `Item ${id}` } }
}

/** A grind with its first item at work. */
function atWork(over: Partial<RunFrame> = {}): LoopRun {
  return decided('block', grinding(over), { next: item('a') }).run
}

describe('taking items', () => {
  it('[LP19] without an item at work the next one is asked for', () => {
    const chore = {
      kind: 'next',
      source,
      taken: [],
      timeoutMs: NEXT_MAX_MS,
      loop: expect.any(String),
    }
    expect(decided('chore', grinding(), 'Ready.').chore).toEqual(chore)
  })

  it('[LP19] an item gets an issue frame, and the agent the item', () => {
    const worktree = { path: '/w/a', branch: 'vigil/a', baseRef: 'main' }
    const next = { item: { id: 'a', title: 'Fix a', text: 'It is broken.' }, worktree }
    const { run: after, reason } = decided('block', grinding({ until: 'npm test' }), { next })
    expect(after.stack).toEqual([
      { ...grinding({ until: 'npm test' }).stack[0], iter: 1, taken: ['a'] },
      {
        id: 'f1.1',
        mode: 'issue',
        iter: 1,
        max: ISSUE_MAX,
        startedAt: NOW,
        patience: 3,
        prompt: 'One commit each.',
        until: 'npm test',
        ...next,
      },
    ])
    expect(reason).toMatch(/^\[ITERATION 1\/10\] Continue working on the task\. /)
    for (const told of ['One commit each.', 'Item a: Fix a', 'It is broken.', '/w/a', DONE])
      expect(reason).toContain(told)
  })

  it('[LP19] when it is done the next one follows at once, and none comes twice', () => {
    const before = atWork()
    expect(decided('chore', before, DONE).chore).toMatchObject({ kind: 'next', taken: ['a'] })
    const { run: after, reason, why } = decided('block', before, { message: DONE, next: item('b') })
    expect(after.stack).toMatchObject([
      { mode: 'grind', iter: 2, taken: ['a', 'b'] },
      { mode: 'issue', iter: 1, max: ISSUE_MAX, item: { id: 'b' } },
    ])
    expect(reason).toContain('Item b')
    expect(reason).not.toContain('Item a')
    expect(why).toBe('item b: Item b')
  })

  it.each(['STUCK', 'MAX_ITERATIONS'])('[LP19] an item given up by %s makes way too', (word) => {
    const message = `<loop-done>${word}</loop-done>`
    expect(decided('chore', atWork(), message).chore.kind).toBe('next')
  })

  it('[LP19] an item not done goes on, and counts its own iterations', () => {
    const { run: after, reason } = decided('block', atWork(), 'Not yet.')
    expect(after.stack.map(({ iter }) => iter)).toEqual([1, 2])
    expect(reason).toMatch(/^\[ITERATION 2\/10\] /)
  })

  it('[LP12][LP19] an item’s command is run first, then the next is asked for, in one Stop', () => {
    const before = atWork({ until: 'npm test' })
    expect(decided('chore', before, DONE).chore.kind).toBe('check')
    const check = { exitCode: 0, output: '' }
    expect(decided('chore', before, { message: DONE, check }).chore.kind).toBe('next')
    const next = item('b')
    const { run: after } = decided('block', before, { message: DONE, check, next })
    expect(after.stack.at(-1)?.item?.id).toBe('b')
  })

  it('[LP19] the document’s grind, without a source, goes on as it says', () => {
    const [before] = [run({ mode: 'grind', max: 100 })]
    expect(decided('block', before).reason).toContain('[ITERATION 1/100]')
  })
})

describe('its end', () => {
  it('[LP20] none left: DONE with NO_MORE_ISSUES', () => {
    for (const [before, message] of [
      [grinding(), 'Ready.'],
      [atWork(), DONE],
    ] as const) {
      const { run: after, to } = decided('allow', before, { message, next: { none: true } })
      expect(to).toBe('COMPLETING')
      expect(after).toMatchObject({ event: 'DONE', reason: 'NO_MORE_ISSUES', stack: [] })
    }
  })

  it('[LP20] as many as it may: DONE with MAX_ISSUES, when the last one is done', () => {
    const before = atWork({ max: 1 })
    decided('block', before, 'Not yet.')
    const { run: after, to } = decided('allow', before, DONE)
    expect(to).toBe('COMPLETING')
    expect(after).toMatchObject({ event: 'DONE', reason: 'MAX_ISSUES', stack: [] })
  })

  it('[LP6][LP20] used-up iterations of an item end the grind, DONE in the last does not', () => {
    const [grind, one] = atWork().stack
    const before = run(grind ?? {}, { ...one, iter: ISSUE_MAX })
    const { run: after, to } = decided('allow', before, 'Not yet.')
    expect(to).toBe('STUCK')
    expect(after).toMatchObject({ event: 'DONE', reason: 'MAX_ITERATIONS', stack: [] })
    expect(decided('chore', before, DONE).chore.kind).toBe('next')
  })

  it('[LP20] items that cannot be read need a human, and are asked for again when resumed', () => {
    const next = { error: 'gh: not logged in' }
    const { run: after, to } = decided('allow', atWork(), { message: DONE, next })
    expect(to).toBe('ACTIVE')
    expect(after?.hold).toMatchObject({ kind: 'human', why: 'no next item: gh: not logged in' })
    expect(after?.stack).toMatchObject([{ mode: 'grind', taken: ['a'] }])
  })

  it('[LP20] an item that comes a second time needs a human', () => {
    const { run: after } = decided('allow', atWork(), { message: DONE, next: item('a') })
    expect(after?.hold).toMatchObject({ kind: 'human', why: 'the source gave item a again' })
  })

  it('[LP20] deadline, budget and breaker are asked before each item', () => {
    const next = item('b')
    const said = { message: DONE, next }
    const late = atWork({ deadlineAt: NOW + 1 })
    expect(decided('allow', late, said, NOW + 1).to).toBe('STUCK')
    const [grind, one] = atWork().stack
    const costly = run({ ...grind, budgetUsd: 1 }, one ?? {})
    expect(decided('allow', costly, { ...said, costUsd: 1 }).to).toBe('STUCK')
    const breaker = { why: 'all are parked', until: NOW + 1 }
    const { run: parked } = decided('allow', atWork(), { ...said, breaker })
    expect(parked).toMatchObject({ hold: { kind: 'parked' }, stack: [{ mode: 'grind' }] })
  })

  it('[LP20] its own signal ends it, and a loop around it goes on at the next Stop', () => {
    const [grind] = grinding().stack
    const message = '<grind-done>NO_MORE_ISSUES</grind-done>'
    const { run: after } = decided('allow', run({}, grind ?? {}), message)
    expect(after).toMatchObject({ event: 'STATE', stack: [{ mode: 'loop' }] })
  })

  it('[LP20] a grind within a grind does not take the other’s answer', () => {
    const [grind = {}] = grinding().stack
    const { run: after, act } = decided('allow', run(grind, grind), { next: { none: true } })
    expect(act).toBe('allow')
    expect(after?.stack).toHaveLength(1)
  })
})
