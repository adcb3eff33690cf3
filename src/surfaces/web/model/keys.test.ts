import { describe, expect, it } from 'vitest'
import { NOW } from '../../../../test/support/board.ts'
import {
  effectsOf,
  happened,
  pageOf,
  press,
  rowNames,
} from '../../../../test/support/page-state.ts'
import { FLEET } from '../../../../test/support/view.ts'

const page = pageOf(FLEET)
const chosen = (...keys: string[]) => press(page, ...keys).selected

describe('[PG7] keys', () => {
  it.each([
    [['j'], 'wonders'],
    [['down', 'down'], 'failed'],
    [['j', 'k'], 'asks'],
    [['k'], 'asks'],
    [['end'], 'ended'],
    [['end', 'j'], 'ended'],
    [['end', 'home'], 'asks'],
    [['3'], 'failed'],
    [['9'], 'asks'],
    [['n'], 'failed'],
  ])('%j choose %s', (keys, id) => {
    expect(chosen(...keys)).toBe(id)
  })

  it('numbers are those of the rows in sight', () => {
    const scrolled = happened(page, { kind: 'sight', from: 3, count: 3 })
    expect(press(scrolled, '1').selected).toBe('done')
    expect(press(scrolled, '4').selected).toBe('asks')
    expect(press(scrolled, 'pagedown').selected).toBe('failed')
  })

  it('n goes through the sessions that need their user, and says if none does', () => {
    const round = [1, 2, 3, 4, 5].map((times) => chosen(...Array(times).fill('n')))
    expect(new Set(round)).toEqual(new Set(['asks', 'wonders', 'failed', 'done']))
    expect(round[4]).toBe(round[0])
    const calm = pageOf(FLEET.filter(({ id }) => id === 'read'))
    expect(press(calm, 'n').notice?.text).toBe('no session needs you')
  })

  it('Enter opens, and what is opened is read', () => {
    expect(effectsOf(page, 'enter')).toEqual([
      { do: 'go', route: { at: 'session', id: 'asks', tab: 'now' }, new: true },
      { do: 'read', session: FLEET[0] },
      { do: 'focus-session' },
    ])
    expect(effectsOf(press(page, 'j'), 'enter').some((effect) => effect.do === 'read')).toBe(false)
  })

  it('over an open session the next one is opened in its place', () => {
    const open = press(page, 'enter')
    expect(press(open, 'j').route).toEqual({ at: 'session', id: 'wonders', tab: 'now' })
    expect(effectsOf(open, 'j')).toEqual([
      { do: 'go', route: { at: 'session', id: 'wonders', tab: 'now' }, new: false },
      { do: 'focus-row' },
    ])
  })

  it('f and / go to the filter, which takes all words', () => {
    expect(effectsOf(page, 'f')).toEqual([{ do: 'search' }])
    expect(effectsOf(page, '/')).toEqual([{ do: 'search' }])
    const filtered = happened(page, { kind: 'filtered', filter: 'engine work', now: NOW })
    expect(rowNames(filtered)).toBe('works')
    expect(rowNames(press(filtered, 'escape'))).toBe(rowNames(page))
  })

  it('g groups by project, by machine, not at all', () => {
    expect(rowNames(press(page, 'g'))).toMatch(/^\[payments\] asks .*\[engine\] works read/)
    expect(rowNames(press(page, 'g', 'g'))).toBe(
      '[here] asks wonders failed done read ended [there] works',
    )
    expect(rowNames(press(page, 'g', 'g', 'g'))).toBe(rowNames(page))
  })

  it('u tells that its user has looked', () => {
    expect(effectsOf(page, 'u')).toEqual([{ do: 'read', session: FLEET[0] }])
    expect(press(page, 'j', 'u').notice?.text).toBe('already read')
  })

  it('x dismisses until it changes, X brings all back', () => {
    const gone = press(page, 'x')
    expect(rowNames(gone)).toBe('wonders failed done works read ended')
    expect(gone.selected).toBe('wonders')
    expect(rowNames(press(gone, 'X'))).toContain('asks')
  })

  it('w tells why, and again leads back; so does Esc', () => {
    const why = press(page, 'w')
    expect(why.route).toEqual({ at: 'session', id: 'asks', tab: 'why' })
    expect(press(why, 'w').route).toMatchObject({ tab: 'now' })
    expect(press(why, 'escape').route).toMatchObject({ tab: 'now' })
  })

  it('? shows the keys, and none does anything until they are put away', () => {
    const help = press(page, '?')
    expect(press(help, 'j')).toEqual(help)
    expect(press(help, '?').help).toBe(false)
  })

  it('y and d are about the request that is shown', () => {
    const here = { kind: 'attention', here: true, at: NOW - 9_000 } as const
    const armed = { kind: 'pointed', session: 'asks', at: NOW - 5_000 } as const
    const chosen = happened(page, here, armed)
    expect(effectsOf(chosen, 'y')).toEqual([{ do: 'allow' }])
    expect(effectsOf(chosen, 'd')).toEqual([{ do: 'deny' }])
    const phone = happened(pageOf(FLEET, { wide: false }), here, armed)
    const left = happened(phone, { kind: 'chose', id: 'asks', now: NOW, at: NOW })
    expect(effectsOf(left, 'y')).toEqual([{ do: 'allow' }])
    const list = happened(left, { kind: 'went', route: { at: 'board' } })
    expect(effectsOf(list, 'y')).toEqual([])
    const insight = happened(chosen, { kind: 'went', route: { at: 'insight' } })
    expect(effectsOf(insight, 'y')).toEqual([])
  })

  it('an unknown key does nothing', () => {
    expect(press(page, 'ö').list).toEqual(page.list)
    expect(effectsOf(page, 'constructor')).toEqual([])
  })
})
