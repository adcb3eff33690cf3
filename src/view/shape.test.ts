import { describe, expect, it } from 'vitest'
import { aSession } from '../../test/support/sessions.ts'
import { STATES } from '../core/verdict.ts'
import { GLYPHS } from './glyphs.ts'
import { lookOf, shapeOf } from './shape.ts'

const timeOfDay = (at: number) => `${at}h`
const shape = (over: Parameters<typeof aSession>[0]) => shapeOf(aSession(over), 61_000, timeOfDay)

describe('the shape of a session', () => {
  it('[VW1] has all there is to show', () => {
    const shown = shape({
      id: 'one',
      state: 'waiting',
      for: 'permission',
      request: { tool: 'Bash', at: 1, text: 'rm -r build' },
      unread: true,
      title: 'payments',
      project: 'shop',
      branch: 'main',
      contextUsedPercent: 22.6,
      todosDone: 3,
      todosTotal: 7,
      tasks: [{ id: '1', what: 'shell' }],
      loop: { state: 'ACTIVE', iteration: 3, max: 10, hold: 'parked: limit', until: 12 },
    })
    expect(shown).toEqual({
      rank: 0,
      glyph: '◆',
      word: 'waiting for permission',
      colour: 'yellow',
      age: '1 min',
      since: 1_000,
      name: 'payments',
      where: 'shop@main',
      what: 'rm -r build',
      machine: null,
      heard: null,
      detached: null,
      loop: 'loop 3/10 waits for 12h',
      context: '77 % left',
      tasks: '3/7 done, 1 running',
      unread: true,
      mark: '*',
      needs: true,
    })
  })

  it('[VW1] says nothing of what is not known', () => {
    expect(shape({ id: '0123456789' })).toMatchObject({
      name: '01234567',
      where: 'here',
      what: 'the test says so',
      loop: null,
      context: null,
      tasks: null,
      mark: ' ',
    })
    expect(shape({ id: 'a', project: 'shop' }).where).toBe('shop')
    expect(shape({ id: 'a', todosDone: 0, todosTotal: 0 }).tasks).toBeNull()
    expect(shape({ id: 'a', todosTotal: 4 }).tasks).toBe('0/4 done')
    expect(shape({ id: 'a', contextUsedPercent: 130 }).context).toBe('0 % left')
  })

  it('[VW24] has what was said last where nothing is asked and nothing runs', () => {
    const said = { id: 'a', prompt: 'fix the tests', reply: 'All 12\npass.' }
    expect(shape({ ...said, state: 'idle', after: 'talk' }).what).toBe(
      '> fix the tests · All 12 pass.',
    )
    const thinks = { what: 'thinking' as const, since: 1 }
    const works = { ...said, state: 'working' as const, reply: null, doing: thinks }
    expect(shape(works).what).toBe('> fix the tests')
    const runs = { ...thinks, what: 'tool' as const, tool: 'Bash', label: 'npm test' }
    expect(shape({ ...works, doing: runs }).what).toBe('npm test')
    const long = { ...said, prompt: 'y'.repeat(200) }
    expect(shape(long).what).toBe(`> ${'y'.repeat(39)}… · All 12 pass.`)
    expect(shape({ ...said, state: 'waiting', for: 'dialog' }).what).toBe('the test says so')
  })

  it('[VW24] has of an error what its screen says', () => {
    const failed = { id: 'a', state: 'error' as const, cause: 'unknown', prompt: 'go' }
    const shown = shape({ ...failed, reply: 'API Error: 400 bad request' })
    expect(shown).toMatchObject({ word: 'error', what: 'API Error: 400 bad request' })
  })

  it('[VW1] has no text of an agent that could harm a terminal, nor endless ones', () => {
    const nasty = `\u001b]52;c;aGk=\u0007${'x'.repeat(5_000)}`
    const task = { id: '1', what: nasty }
    const shown = shape({
      ...{ id: nasty, title: nasty, project: nasty, branch: nasty, reason: nasty, tasks: [task] },
      ...{ state: 'error', cause: nasty },
    })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    for (const text of Object.values(shown)) expect(String(text)).not.toMatch(/[\u0000-\u001f]/)
    for (const text of Object.values(shown)) expect(String(text).length).toBeLessThan(201)
    expect(shape({ id: 'a', reason: nasty }).what).toMatch(/^ \]52;c;aGk= x{187}…$/)
  })

  it('[VW1] looks as its verdict does', () => {
    const session = aSession({ id: 'a', state: 'error', cause: 'rate_limit' })
    expect(shapeOf(session, 2_000, timeOfDay)).toMatchObject(lookOf(session))
    expect(shapeOf(session, 2_000, timeOfDay, GLYPHS.ascii)).toMatchObject({ glyph: 'x' })
  })
})

describe('a set of glyphs', () => {
  it.each(Object.entries(GLYPHS))('[VW9] %s has one of its own for every state', (_, glyphs) => {
    expect(Object.keys(glyphs).toSorted()).toEqual([...STATES, 'unreachable', 'unread'].toSorted())
    expect(new Set(Object.values(glyphs)).size).toBe(STATES.length + 2)
    for (const glyph of Object.values(glyphs)) expect([...glyph]).toHaveLength(1)
  })

  it('[VW9] for plain terminals is plain, and the other for its font', () => {
    expect(Object.values(GLYPHS.ascii).join('')).toMatch(/^[!-~]+$/)
    expect(Object.values(GLYPHS.nerd).join('')).toMatch(/^[\uf000-\uf2e0]+$/)
  })
})

it.each(Object.entries(GLYPHS))(
  '[TU28] no sign of the set %s is an emoji in any font',
  (_, glyphs) => {
    for (const sign of Object.values(glyphs)) {
      expect([...sign]).toHaveLength(1)
      expect(sign).not.toMatch(/\p{Extended_Pictographic}/u)
    }
  },
)
