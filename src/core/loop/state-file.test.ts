import { describe, expect, it } from 'vitest'
import { COMPLETE, decided, NOW } from '../../../test/support/loop-machine.ts'
import { parseDocument } from './document.ts'
import type { LoopRun } from './run.ts'

function read(text: string): LoopRun {
  const found = parseDocument(text, NOW)
  if ('malformed' in found) throw new Error(found.malformed)
  return found
}

const head = (active = 'true', mode = 'loop', iteration = '5') =>
  `---\nactive: ${active}\nmode: ${mode}\niteration: ${iteration}\nmax_iterations: 10\n---\n`

describe('the state file of idle', () => {
  it('[LP89] is a run with its mode, counts and task, fresh at its import', () => {
    const run = read(`${head('true', 'issue')}\nMend the engine.\n\n---\nThen stop.\n`)
    expect(run).toMatchObject({ event: 'STATE', updatedAt: NOW, unsaid: true })
    const prompt = 'Mend the engine.\n\n---\nThen stop.'
    expect(run.stack).toMatchObject([{ mode: 'issue', iter: 5, max: 10, patience: 0, prompt }])
    const { reason } = decided('block', run)
    expect(reason).toMatch(/^\[ITERATION 6\/10\] /)
    expect(reason).toContain('Mend the engine.')
    expect(decided('allow', run, COMPLETE).to).toBe('COMPLETING')
  })

  it('[LP89] needs no task, and may have been written on another system', () => {
    for (const text of [head(), head().trimEnd(), head().replaceAll('\n', '\r\n')]) {
      expect(read(text).stack).toMatchObject([{ mode: 'loop', iter: 5, max: 10 }])
      expect(read(text).stack[0]).not.toHaveProperty('prompt')
    }
  })

  it('[LP89] that is not active is over; one without counts is aborted, as by idle', () => {
    expect(read(head('false')).stack).toEqual([])
    for (const text of [head('true', 'loop', 'five'), '---\nactive: true\n---\n'])
      expect(decided('allow', read(text), COMPLETE).to).toBe('ABORTED')
    expect(read(head('true', 'nap'))).toMatchObject({ event: 'ABORT' })
  })

  it.each(['---\ntitle: notes\n---\nx', '---\nactive: true\n', '# active: true', '------'])(
    '[LP89] %j is none',
    (text) => {
      expect(parseDocument(text, NOW)).toHaveProperty('malformed')
    },
  )
})
