import { describe, expect, it } from 'vitest'
import { COMPLETE, decided, NOW, run, SENTENCE } from '../../../test/support/loop-machine.ts'
import {
  ANCHOR_GOAL_MAX_CHARS,
  ANCHOR_SAID_MAX_CHARS,
  ANCHOR_TURNS_MAX,
  ITEM_TEXT_MAX_CHARS,
} from '../limits.ts'
import { anchorOf } from './anchor.ts'
import { openingOf } from './opening.ts'
import type { LoopRun, RunFrame } from './run.ts'
import { signalIn } from './signals.ts'

const worktree = { path: '/w/7', branch: 'vigil/7', baseRef: 'main' }
const FIRST = `[ITERATION 1/10] ${SENTENCE}`

const unsaid = (over: Partial<RunFrame>): LoopRun => ({ ...run(over), unsaid: true })

describe('the reason', () => {
  it('[LP17] is the document’s sentence, and no more when there is nothing to add', () => {
    expect(decided('block', run({})).reason).toBe(FIRST)
  })

  it('[LP17] names the worktree at every iteration of an issue', () => {
    const words = [
      '[WORKTREE] Work only in /w/7, on branch vigil/7 (made from main).',
      'Change nothing outside of it, and commit your work there.',
    ].join(' ')
    const { reason } = decided('block', run({ mode: 'issue', worktree }))
    expect(reason).toBe(`${FIRST}\n\n${words}`)
    expect(decided('block', run({ mode: 'loop', worktree })).reason).toBe(FIRST)
    const half = { path: '/w/7', branch: '', baseRef: '' }
    expect(decided('block', run({ mode: 'issue', worktree: half })).reason).toContain('in /w/7.')
    const none = { path: '', branch: 'b', baseRef: '' }
    expect(decided('block', run({ mode: 'issue', worktree: none })).reason).toBe(FIRST)
  })

  it('[LP17] adds opening, check, worktree and anchor in this order, each once', () => {
    const frame = { mode: 'issue', prompt: 'Do it.', worktree, until: 'make' } as const
    const check = { exitCode: 1, output: 'broken' }
    const { reason, run: after } = decided('block', unsaid(frame), { check, anchor: 'ANCHOR' })
    const places = ['[ITERATION', 'Do it.', '[WORKTREE]', 'It exited 1', 'ANCHOR'].map((part) => {
      expect(reason.split(part)).toHaveLength(2)
      return reason.indexOf(part)
    })
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(after.unsaid).toBe(false)
    const second = decided('block', after, { check, anchor: 'ANCHOR' }).reason
    expect(second).not.toContain('Do it.')
    expect(second).toMatch(/It exited 1.*\[WORKTREE\].*ANCHOR$/s)
  })
})

describe('the opening', () => {
  it('[LP18] tells task, limits and the signals', () => {
    const text = openingOf(
      run({ prompt: 'Make it fast.\n', deadlineAt: NOW + 7_500_000, budgetUsd: 2.5 }),
    )
    const loop = 'You work in a loop: when you stop, you are asked to go on, at most'
    const done = 'When the whole task is done, end your message with this line, as plain text'
    const stuck = 'If you cannot go on without help, say what is missing and end with'
    expect(text.split('\n\n')).toEqual([
      'Your task:',
      'Make it fast.',
      `${loop} 10 times, for 2 h 5 min, for $2.50.`,
      `${done} and on a line of its own:`,
      COMPLETE,
      `${stuck} this line instead:`,
      '<loop-done>STUCK</loop-done>',
    ])
  })

  it('[LP18] names the file of the task where there is no text', () => {
    expect(openingOf(run({ promptFile: '/tmp/p.md' }))).toContain('in the file /tmp/p.md: read it')
  })

  it('[LP18] tells item and worktree, and of a long item the beginning', () => {
    const item = { id: '7', title: 'Seven', text: `Why${'.'.repeat(ITEM_TEXT_MAX_CHARS)}!` }
    const text = openingOf(run({ mode: 'issue', item, worktree }))
    expect(text).toContain('Item 7: Seven\n\nWhy...')
    expect(text).not.toContain('!')
    expect(text).toContain('[WORKTREE] Work only in /w/7')
    expect(text).toContain('When this item is done')
    expect(text.length).toBeLessThan(ITEM_TEXT_MAX_CHARS + 1_000)
  })

  it.each([
    ['loop', 'COMPLETE', 'STUCK'],
    ['issue', 'DONE', 'STUCK'],
    ['grind', 'NO_MORE_ISSUES', 'MAX_ISSUES'],
  ] as const)(
    '[LP18] an agent of %s mode that follows the text is understood',
    (mode, ...words) => {
      const lines = openingOf(run({ mode })).split('\n')
      const heard = lines.flatMap((line) => signalIn(`It is so.\n\n${line}`, mode) ?? [])
      expect(heard).toEqual(words)
    },
  )

  it('[LP18] where a command decides, names the command, and no line to claim it with', () => {
    const text = openingOf(run({ until: 'npm test' }))
    expect(text).toContain('done when this command exits 0')
    expect(text).toContain('\n\nnpm test\n')
    expect(text).not.toContain(COMPLETE)
    const item = { id: '7', title: 'Seven' }
    const both = openingOf(run({ mode: 'issue', item, until: 'npm test' }))
    expect(both).toContain('<issue-complete>DONE</issue-complete>')
    expect(both).toContain('It counts only if this command exits 0 then:\n\nnpm test')
  })

  it('[LP18] a grind with a source asks its agent to stop: only then comes an item', () => {
    const sources = [
      [{ kind: 'github' }, 'the issues on GitHub'],
      [{ kind: 'checklist', path: 'A.md' }, 'the checklist A.md'],
      [{ kind: 'command', command: 'next' }, 'the command next'],
    ] as const
    for (const [source, words] of sources) {
      const text = openingOf(run({ mode: 'grind', max: 5, source, prompt: 'One commit each.' }))
      expect(text).toContain('One commit each.')
      expect(text).toContain(`items from ${words}, one at a time and at most 5`)
      expect(text).toContain('answer with one short line, and stop')
    }
  })

  it('[LP18] is repeated when a nested loop has ended, if it has its own words', () => {
    const task = run({ prompt: 'The large one.' }, { prompt: 'The small one.' })
    const { run: outer } = decided('allow', task, COMPLETE)
    expect(decided('block', outer).reason).toContain('The large one.')
    const { run: document } = decided('allow', run({ promptFile: 'p' }, {}), COMPLETE)
    expect(decided('block', document).reason).toBe(FIRST)
  })
})

describe('the anchor', () => {
  const told = Array.from({ length: 9 }, (_, i) => ({ iteration: i + 1, said: `Said\n ${i + 1}.` }))

  it('[LP27] goal, iteration, progress, next step, and how it ends', () => {
    const item = { id: '7', title: 'Seven' }
    const text = anchorOf(run({ mode: 'issue', iter: 9, prompt: 'Do.', item, worktree }), told)
    expect(text).toContain('at iteration 9 of 10')
    expect(text).toContain('Goal: Do.\nitem 7: Seven')
    expect(text).toContain('[WORKTREE] Work only in /w/7')
    expect(text).toContain('- iteration 8: Said 8.\n- iteration 9: Said 9.')
    expect(text).toContain('Next step: go on from the last of these.')
    expect(text).toContain('<issue-complete>DONE</issue-complete>')
    expect(text.match(/^- iteration/gm)).toHaveLength(ANCHOR_TURNS_MAX)
  })

  it('[LP27] has nothing but its input', () => {
    expect(anchorOf(run({}), [{ iteration: 1, said: '  ' }])).toContain('look at the files')
    expect(anchorOf(run({}), [])).not.toContain('Progress')
    expect(anchorOf(run({ promptFile: 'p.md' }), [])).toContain('Goal: what the file p.md says')
    expect(anchorOf(run(), told)).toBe('')
  })

  it('[LP27] stays short however much was said', () => {
    const long = told.map(({ iteration }) => ({ iteration, said: 'word '.repeat(10_000) }))
    const text = anchorOf(run({ prompt: 'goal '.repeat(10_000) }), long)
    const most = ANCHOR_GOAL_MAX_CHARS + ANCHOR_TURNS_MAX * (ANCHOR_SAID_MAX_CHARS + 20) + 1_000
    expect(text.length).toBeLessThan(most)
    expect(most).toBeLessThan(5_000)
  })
})
