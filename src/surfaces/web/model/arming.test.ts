import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changed, NOW, snapshot } from '../../../../test/support/board.ts'
import { effectsOf, happened, pageOf } from '../../../../test/support/page-state.ts'
import { FLEET } from '../../../../test/support/view.ts'
import { whyRepeated } from './arming.ts'
import type { PageEvent, PageState } from './state.ts'

/** The page comes to the front at 0; times count from there. */
const front: PageEvent = { kind: 'attention', here: true, at: 0 }
const loaded = happened(pageOf(FLEET), front)
const key = (name: string, at: number): PageEvent => ({ kind: 'key', key: name, now: NOW, at })
const click = (id: string, at: number): PageEvent => ({ kind: 'chose', id, now: NOW, at })
const touch = (at: number, x?: number): PageEvent => ({
  ...{ kind: 'touched', at },
  pressed: x === undefined ? null : { x, y: 100 },
})
const on = (session: string, at: number): PageEvent => ({ kind: 'pointed', session, at })

function doneAt(state: PageState, name: string, at: number) {
  return effectsOf({ ...state, now: at }, name).filter(
    (one) => one.do === 'allow' || one.do === 'deny',
  )
}

describe('[SH10] after load and focus', () => {
  it('what is chosen for looking is not answered by a key, and that is said', () => {
    expect(loaded.selected).toBe('asks')
    for (const name of ['y', 'd']) expect(doneAt(loaded, name, 60_000)).toEqual([])
    const pressed = happened(loaded, key('y', 60_000))
    expect(pressed.notice?.text).toBe('choose the session first (↑ ↓ or click), then answer')
  })

  it('nothing counts for 0.8 s: no click, no key', () => {
    for (const act of [click('asks', 799), on('asks', 799), key('down', 799)])
      expect(happened(loaded, act).arming.armed).toBe(null)
    expect(happened(loaded, click('asks', 800)).arming.armed).toMatchObject({ session: 'asks' })
  })

  it('a user who keeps pressing, arrows too, arms nothing before a pause of 0.8 s', () => {
    let state = loaded
    for (let at = 100; at <= 5_000; at += 350)
      state = happened(state, touch(at), key('down', at), touch(at + 50), on('asks', at + 90))
    expect(state.arming.armed).toBe(null)
    const pressed = happened(state, touch(5_100), key('y', 5_100))
    expect(pressed.notice?.text).toContain('wait a second, then choose the session first')
    expect(happened(pressed, touch(5_899), on('asks', 5_899)).arming.armed).toBe(null)
    const paused = happened(pressed, touch(5_900), click('asks', 5_900), touch(6_000))
    expect(doneAt(paused, 'y', 6_300)).toEqual([{ do: 'allow' }])
  })

  it('a click on a request that came too early is reported, and the next one counts', () => {
    const asks = happened(loaded, changed(FLEET, 'asks', { asks: ['r1'] }))
    for (const early of [click('asks', 799), on('asks', 799)]) {
      const state = happened(asks, early)
      expect(state.notice?.text).toContain('wait a second, then click again')
      expect(happened(state, click('asks', 1_600)).arming.armed).toMatchObject({ session: 'asks' })
    }
    const other = FLEET.find(({ id }) => id !== 'asks')
    expect(happened(asks, click(other?.id ?? '', 799)).notice).toBe(null)
  })

  it('a window that was left or hidden begins anew', () => {
    const armed = happened(loaded, click('asks', 1_000))
    const left = happened(armed, { kind: 'attention', here: false, at: 2_000 })
    expect(doneAt(left, 'y', 9_000)).toEqual([])
    const back = happened(left, { kind: 'attention', here: true, at: 3_000 })
    expect(doneAt(back, 'y', 9_000)).toEqual([])
    expect(happened(back, click('asks', 3_700)).arming.armed).toBe(null)
    expect(doneAt(happened(back, click('asks', 3_800)), 'y', 4_200)).toEqual([{ do: 'allow' }])
  })

  it('no text that is typed on answers anything, however it goes', () => {
    const typed = fc.array(
      fc.tuple(fc.constantFrom(...'yYdjknwux123', 'enter', 'escape'), fc.nat(2_000)),
    )
    fc.assert(
      fc.property(typed, (keys) => {
        let [state, at] = [loaded, 0]
        for (const [name, afterMs] of keys) {
          at += afterMs
          expect(doneAt(state, name, at)).toEqual([])
          state = happened(state, key(name, at))
        }
      }),
    )
  })
})

describe('[SH11] a session that was chosen on purpose', () => {
  it.each([
    ['a click on its row', click('asks', 1_000)],
    ['a click on its request', on('asks', 1_000)],
    ['an arrow', key('home', 1_000)],
  ])('%s: is answered by a key, 0.4 s later', (_, act) => {
    const armed = happened(loaded, act)
    expect(doneAt(armed, 'y', 1_399)).toEqual([])
    expect(doneAt(armed, 'y', 1_400)).toEqual([{ do: 'allow' }])
    expect(doneAt(armed, 'd', 1_400)).toEqual([{ do: 'deny' }])
  })

  it('is not armed by its row on a narrow page, where its button takes the row’s place', () => {
    const tapped = happened({ ...loaded, wide: false }, click('asks', 1_000))
    expect(doneAt(tapped, 'y', 9_000)).toEqual([])
    expect(doneAt(happened(tapped, on('asks', 9_000)), 'y', 9_400)).toEqual([{ do: 'allow' }])
  })

  it('is not answered at the place that armed it, however often that is pressed', () => {
    const why = ({ arming }: PageState) => whyRepeated(arming)
    const armed = happened(loaded, touch(1_000, 50), on('asks', 1_000))
    expect(why(happened(armed, touch(2_000, 60)))).toMatch(/at another place first/)
    expect(why(happened(armed, touch(2_000, 80)))).toBe(null)
    // By a key it can.
    expect(why(happened(armed, touch(2_000)))).toBe(null)
    const elsewhere = happened(armed, touch(3_000, 300), on('asks', 3_000), touch(4_000, 60))
    expect(why(elsewhere)).toBe(null)
  })

  it('is that one alone; from there letters lead on', () => {
    const armed = happened(loaded, click('asks', 1_000))
    const next = happened(armed, key('j', 3_000))
    expect(next.selected).toBe('wonders')
    expect(doneAt(next, 'y', 3_399)).toEqual([])
    expect(doneAt(next, 'y', 3_400)).toEqual([{ do: 'allow' }])
    const elsewhere = happened(armed, {
      kind: 'went',
      route: { at: 'session', id: 'wonders', tab: 'now' },
    })
    expect(doneAt(elsewhere, 'y', 9_000)).toEqual([])
  })
})

describe('[SH13] a page that another site has led to', () => {
  it('has no session chosen', () => {
    const arrived = happened({ ...pageOf([]), choosesFirst: false }, front)
    const listed = happened(arrived, snapshot(FLEET, 2))
    expect(listed.list).not.toEqual([])
    expect(listed.selected).toBe(null)
  })
})
