import { describe, expect, it } from 'vitest'
import { decided, frame, NOW, run } from '../../../test/support/loop-machine.ts'
import { STACK_MAX } from '../limits.ts'
import { documentOf, parseDocument } from './document.ts'
import { isoOf, timeOf } from './iso.ts'
import type { LoopRun } from './run.ts'
import { loopStateOf } from './state.ts'

const FRAME = {
  id: 'issue-1',
  mode: 'issue',
  iter: 2,
  max: 10,
  prompt_file: '/tmp/prompt.txt',
  filter: 'label:bug',
  issue_id: 'bug-42',
  worktree_path: '/repo/.worktrees/bug-42',
  branch: 'issue/bug-42',
  base_ref: 'main',
}
const DOCUMENT = {
  schema: 1,
  event: 'STATE',
  run_id: 'loop-1703123456-42',
  updated_at: isoOf(NOW),
  stack: [{ id: 'grind-1', mode: 'grind', iter: 7, max: 100, filter: 'label:bug' }, FRAME],
}

function parsed(document: unknown): LoopRun {
  const read = parseDocument(JSON.stringify(document), NOW)
  if ('malformed' in read) throw new Error(read.malformed)
  return read
}

describe('reading', () => {
  it('[LP24] a whole document', () => {
    expect(parsed(DOCUMENT)).toMatchObject({
      id: 'loop-1703123456-42',
      event: 'STATE',
      updatedAt: NOW,
      unsaid: false,
      stack: [
        { id: 'grind-1', mode: 'grind', iter: 7, max: 100, filter: 'label:bug', patience: 0 },
        {
          id: 'issue-1',
          mode: 'issue',
          iter: 2,
          max: 10,
          promptFile: '/tmp/prompt.txt',
          filter: 'label:bug',
          item: { id: 'bug-42', title: 'bug-42' },
          worktree: { path: FRAME.worktree_path, branch: FRAME.branch, baseRef: 'main' },
        },
      ],
    })
  })

  it.each([
    ['missing', { schema: 1, stack: [{}, { mode: 'grind' }] }],
    [
      'null',
      {
        ...Object.fromEntries(Object.keys(DOCUMENT).map((key) => [key, null])),
        schema: 1,
        stack: [
          Object.fromEntries(Object.keys(FRAME).map((key) => [key, null])),
          { id: null, mode: 'grind', iter: null, max: null },
        ],
      },
    ],
  ])('[LP24] fields that are %s have safe defaults', (_, document) => {
    const read = parsed(document)
    const id = `loop-${NOW / 1_000}`
    expect(read).toMatchObject({ id, event: 'STATE', updatedAt: NOW, startedAt: NOW })
    expect(read.stack).toEqual([
      frame({ id: `${id}.1`, mode: 'loop', iter: 0, max: 10 }),
      frame({ id: `${id}.2`, mode: 'grind', iter: 0, max: 100 }),
    ])
    decided('block', read)
  })

  it.each([
    ['no JSON', '{"schema":1'],
    ['nothing', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['a word', '"STATE"'],
    ['no schema', '{"event":"STATE","stack":[{"iter":0,"max":10}]}'],
    ['a null schema', '{"schema":null,"stack":[]}'],
    ['another schema', '{"schema":2,"stack":[]}'],
    ['a stack without end', `{"schema":1,"stack":[${Array(STACK_MAX + 1).fill('{}')}]}`],
  ])('[LP24] %s is malformed', (_, text) => {
    expect(parseDocument(text, NOW)).toHaveProperty('malformed')
  })

  it.each([
    ['an unknown event', { ...DOCUMENT, event: 'PAUSE' }],
    ['an event that is a number', { ...DOCUMENT, event: 1 }],
    ['a stack that is none', { ...DOCUMENT, stack: 'grind' }],
    ['a frame that is none', { ...DOCUMENT, stack: [FRAME, 7] }],
    ['an unknown mode', { ...DOCUMENT, stack: [{ ...FRAME, mode: 'dance' }] }],
    ['a count that is a word', { ...DOCUMENT, stack: [{ ...FRAME, iter: 'two' }] }],
    ['a limit that is a word', { ...DOCUMENT, stack: [{ ...FRAME, max: '1e9' }] }],
    ['a count that is true', { ...DOCUMENT, stack: [{ ...FRAME, iter: true }] }],
    ['a count below 0', { ...DOCUMENT, stack: [{ ...FRAME, iter: -1 }] }],
    ['a broken outer frame', { ...DOCUMENT, stack: [{ ...FRAME, iter: 'x' }, FRAME] }],
    ['a time that is none', { ...DOCUMENT, updated_at: 'yesterday' }],
    ['a time that is a number', { ...DOCUMENT, updated_at: 1_703_123_456 }],
    ['a limit of ours, broken', { ...DOCUMENT, stack: [{ ...FRAME, vigil: { until: 7 } }] }],
    ['ours in another’s shape', { ...DOCUMENT, stack: [{ ...FRAME, vigil: [] }] }],
  ])('[LP24] %s is aborted by the next Stop', (_, document) => {
    expect(loopStateOf(decided('allow', parsed(document)).run)).toBe('ABORTED')
  })

  it('[LP24] counts written as text are counts, ids written as numbers are ids', () => {
    const read = parsed({ ...DOCUMENT, stack: [{ ...FRAME, iter: '3', max: '12', issue_id: 42 }] })
    expect(read.stack[0]).toMatchObject({ iter: 3, max: 12, item: { id: '42' } })
  })

  it.each(['DONE', 'ABORT'])('[LP24] %s with its reason is over', (event) => {
    const read = parsed({ ...DOCUMENT, event, reason: 'USER_CANCELLED', stack: [] })
    expect(read).toMatchObject({ event, reason: 'USER_CANCELLED' })
    expect(decided('allow', read).run).toBe(read)
  })
})

describe('times', () => {
  const TIME = Date.UTC(2024, 11, 21, 10, 30)

  it.each([
    ['2024-12-21T10:30:00Z', TIME],
    ['2024-12-21T10:30:00.250Z', TIME + 250],
    ['2024-12-21T10:30:00+00:00', TIME],
    ['2024-12-21T12:30:00+02:00', TIME],
    ['2024-12-21T12:30:00+0200', TIME],
    ['2024-12-21T05:00:00-05:30', TIME],
    ['2024-12-21t10:30:00z', TIME],
    ['2024-12-21T10:30:00', TIME],
    ['2024-12-21', Number.NaN],
    ['2024-13-45T10:30:00Z', Number.NaN],
    ['2024-12-21T10:30:00 CET', Number.NaN],
    ['', Number.NaN],
  ])('[LP24] %s', (text, time) => {
    expect(timeOf(text)).toBe(time)
  })

  it.each(['2024-12-21T08:30:00Z', '2024-12-21T10:30:00+02:00'])(
    '[LP4][LP24] fresh for two hours from %s',
    (updated_at) => {
      const read = parsed({ ...DOCUMENT, updated_at })
      decided('block', read, {}, TIME)
      expect(decided('allow', read, {}, TIME + 1).to).toBe('STUCK')
    },
  )

  it('[LP25] are written to the second, never later than they were', () => {
    expect(isoOf(TIME + 999)).toBe('2024-12-21T10:30:00Z')
    for (const none of [Number.NaN, Number.POSITIVE_INFINITY, 9e15])
      expect(timeOf(isoOf(none))).toBeNaN()
  })
})

describe('writing', () => {
  it('[LP25] what was read is written again, every field', () => {
    expect(documentOf(parsed(DOCUMENT))).toEqual(DOCUMENT)
    const done = { ...DOCUMENT, event: 'DONE', reason: 'MAX_ISSUES', stack: [] }
    expect(documentOf(parsed(done))).toEqual(done)
  })

  it('[LP25] limits that only vigil knows come back, and the agent gets its task', () => {
    const grind = frame({
      mode: 'grind',
      prompt: 'One commit each.',
      source: { kind: 'github', filter: 'label:bug' },
      taken: ['1', '2'],
      until: 'npm test',
      deadlineAt: NOW + 1,
      budgetUsd: 2,
      patience: 3,
    })
    const before = run(grind, { mode: 'issue', item: { id: '2', title: 'Two', text: 'Of it.' } })
    const again = parsed(documentOf({ ...before, updatedAt: NOW }))
    expect(again).toEqual({ ...before, startedAt: NOW, unsaid: false })
    expect(parsed(documentOf(run(grind))).unsaid).toBe(true)
  })

  it('[LP25] what is corrupt does not become sound on the way', () => {
    for (const bad of [{ iter: Number.NaN }, { max: Number.NaN }, { budgetUsd: Number.NaN }])
      expect(decided('allow', parsed(documentOf(run(bad)))).to).toBe('ABORTED')
    expect(decided('allow', parsed(documentOf({ ...run({}), updatedAt: 9e15 }))).to).toBe('ABORTED')
  })
})
