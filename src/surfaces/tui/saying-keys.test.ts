import { describe, expect, it } from 'vitest'
import { rows, snapshot } from '../../../test/support/board.ts'
import { aSession } from '../../../test/support/sessions.ts'
import { effectsOf, FLEET, happened, linesIn, press, viewOf } from '../../../test/support/view.ts'
import { pictureOf } from './layout.ts'
import { paneDeed } from './pane-deeds.ts'

const inTmux = aSession({ id: 'stands', state: 'idle', project: 'stands', tmuxPane: '%1' })
const view = () => press(viewOf([...FLEET, inTmux]), ...'fstands', 'enter')
const shown = (state: ReturnType<typeof view>) => linesIn(pictureOf(state)).join('\n')

describe('keys about a pane', () => {
  it('[PA19] a prompt is written and sent, letters that are keys elsewhere too', () => {
    const begun = press(view(), ':', ...'go on, q: yes', 'backspace')
    expect(shown(begun)).toContain(' to stands go on, q: ye▏')
    const effects = effectsOf(begun, 'enter')
    expect(effects).toMatchObject([{ do: 'say', text: 'go on, q: ye' }])
    expect(effects[0]).toMatchObject({ session: { id: 'stands' } })
    expect(press(begun, 'enter').saying).toBeNull()
  })

  it('[PA19] it goes to the one it was begun for', () => {
    const begun = press(view(), ':', 'x')
    const other = aSession({ id: 'another', state: 'waiting', tmuxPane: '%2', since: 1 })
    const moved = happened(begun, snapshot([other, inTmux]))
    expect(effectsOf(moved, 'enter')).toMatchObject([{ do: 'say', session: { id: 'stands' } }])
    const gone = happened(begun, snapshot([other]))
    expect(effectsOf(gone, 'enter')).toEqual([])
    expect(press(gone, 'enter').notice?.text).toBe('it is gone')
  })

  it('[PA19] nothing is sent where nothing was written, or it was left', () => {
    expect(effectsOf(press(view(), ':', ' '), 'enter')).toEqual([])
    expect(press(view(), ':', 'x', 'escape').saying).toBeNull()
    expect(press(view(), ':', 'backspace').saying).toBeNull()
    expect(press(view(), ':', ...'x'.repeat(2_100)).saying?.text).toHaveLength(2_000)
  })

  it('[PA19] typing is allowed and a session interrupted by a key, where there is a pane', () => {
    expect(effectsOf(view(), 't')).toMatchObject([{ do: 'typing', session: { id: 'stands' } }])
    expect(press(view(), 'I').notice?.text).toBe('it is idle; there is nothing to interrupt')
    const works = happened(view(), rows({ ...inTmux, state: 'working' }))
    expect(effectsOf(works, 'I')).toMatchObject([{ do: 'interrupt', session: { id: 'stands' } }])
    const bare = viewOf([aSession({ id: 'bare', state: 'idle' })])
    for (const key of [':', 't', 'I']) {
      expect(effectsOf(bare, key)).toEqual([])
      expect(press(bare, key).notice?.text).toBe('it does not run in tmux')
    }
  })

  it('[PA19] what was done is said, and nothing is where nobody can do it', async () => {
    const asked: unknown[] = []
    const view = (on: boolean) => ({ session: 'stands', on, since: null, by: null })
    const client = {
      typing: async () => view(false),
      setTyping: async (...given: unknown[]) => {
        asked.push(given)
        return view(true)
      },
      say: async (...given: unknown[]) => {
        asked.push(given)
        return { done: true, queued: given[1] === 'later' } as const
      },
      interrupt: async (...given: unknown[]) => void asked.push(given),
    }
    const session = inTmux
    expect(await paneDeed(client, { do: 'typing', session })).toBe('stands: typing is on')
    expect(await paneDeed(client, { do: 'say', session, text: 'go' })).toBe('stands: told')
    expect(await paneDeed(client, { do: 'interrupt', session })).toBe('stands: interrupt sent')
    expect(asked).toEqual([
      ['stands', true, 'live'],
      ['stands', 'go', 'live'],
      ['stands', 'live'],
    ])
    const later = { do: 'say', session, text: 'later' } as const
    expect(await paneDeed(client, later)).toBe('stands: queued')
    expect(await paneDeed({}, { do: 'say', session, text: 'go' })).toBe('nothing can be typed here')
  })
})
