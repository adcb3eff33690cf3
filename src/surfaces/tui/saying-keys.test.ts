import { describe, expect, it } from 'vitest'
import { detailed, rows, snapshot } from '../../../test/support/board.ts'
import { aSession } from '../../../test/support/sessions.ts'
import { effectsOf, FLEET, happened, linesIn, press, viewOf } from '../../../test/support/view.ts'
import { pictureOf } from './layout.ts'
import { updateTerminal } from './model.ts'
import { actOnPane, paneLook } from './pane-actions.ts'

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
    expect(press(gone, 'enter').notice?.text).toBe('the session is gone')
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
      expect(press(bare, key).notice?.text).toBe('the session is not in tmux')
    }
  })

  it('[PA19] reports what was done, and does nothing if the client cannot do it', async () => {
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
    expect(await actOnPane(client, { do: 'typing', session })).toBe('stands: typing is on')
    expect(await actOnPane(client, { do: 'say', session, text: 'go' })).toBe('stands: told')
    expect(await actOnPane(client, { do: 'interrupt', session })).toBe('stands: interrupt sent')
    expect(asked).toEqual([
      ['stands', true, 'live'],
      ['stands', 'go', 'live'],
      ['stands', 'live'],
    ])
    const later = { do: 'say', session, text: 'later' } as const
    expect(await actOnPane(client, later)).toBe('stands: queued')
    expect(await actOnPane({}, { do: 'say', session, text: 'go' })).toBe(
      'you cannot type into this session here',
    )
  })
})

describe('[TU30] the lines of a pane', () => {
  const told = (lines: readonly string[], session = 'stands', why: string | null = null) =>
    ({ kind: 'pane', pane: { session, lines, why } }) as const
  const lines = Array.from({ length: 60 }, (_, at) => `line ${at}`)
  const open = () => happened(press(view(), 'p'), told([...lines, '', '']))

  it('are asked for by p, and again when its details come', () => {
    expect(effectsOf(view(), 'p')).toMatchObject([{ do: 'pane', session: { id: 'stands' } }])
    expect(shown(press(view(), 'p'))).toContain('waiting for tmux')
    const again = updateTerminal(open(), detailed(inTmux)).effects
    expect(again).toMatchObject([{ do: 'pane', session: { id: 'stands' } }])
    expect(updateTerminal(view(), detailed(inTmux)).effects).toEqual([])
  })

  it('stand there from the lowest up, and follow unless one has scrolled', () => {
    expect(shown(open())).toContain('│ line 59')
    expect(shown(open())).toContain('its pane: stands')
    const gap = shown(happened(open(), told(['top', ...Array(40).fill(' '), 'foot'])))
    expect(gap).toContain('│ top\n  │\n  │ foot')
    expect(shown(open())).not.toContain('│ line 30')
    expect(shown(happened(open(), told([...lines, 'line 60'])))).toContain('│ line 60')
    const up = press(open(), ...Array(20).fill('k'))
    expect(shown(up)).toContain('│ line 30')
    expect(shown(happened(up, told([...lines, 'line 60'])))).toContain('│ line 30')
  })

  it.each(['p', 'escape', 'q'])('are left by %s', (key) => {
    expect(press(open(), key).shows).toBe('sessions')
  })

  it('answer nothing meanwhile, and let no key through', () => {
    for (const key of ['y', 'Y', 'd', ':', 't', 'I', 'x', 'enter'])
      expect(effectsOf(open(), key), key).toEqual([])
  })

  it('hold nothing that acts on the terminal, and no colour', () => {
    const rude = '\u001b[31mred\u001b[0m\u001b]0;title\u0007\u001b[2J\u202e'
    const text = shown(happened(open(), told([rude])))
    expect(text).toContain('│ red')
    for (const sign of ['\u001b', '\u0007', '\u202e']) expect(text).not.toContain(sign)
  })

  it('are those of the selected session, or it is said why there are none', () => {
    expect(shown(happened(open(), told(['secret'], 'another')))).not.toContain('secret')
    const why = happened(open(), told([], 'stands', 'another program is in its foreground'))
    expect(shown(why)).toContain('another program is in its foreground')
    expect(press(viewOf(FLEET), 'p').notice?.text).toBe('the session is not in tmux')
  })

  it('come from the daemon, and so does why there are none', async () => {
    const client = { paneLines: async () => ({ machine: '', session: 'a', rows: ['x'] }) }
    expect(await paneLook(client, 'a')).toEqual({ session: 'a', lines: ['x'], why: null })
    const none = { paneLines: () => Promise.reject(new Error('its pane is closed')) }
    expect(await paneLook(none, 'a')).toMatchObject({ lines: [], why: 'its pane is closed' })
  })
})
