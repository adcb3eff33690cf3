import { afterEach, beforeEach, expect, it } from 'vitest'
import { LocalPanes, type PaneParts } from '../../src/daemon/panes/panes.ts'
import type { By } from '../../src/daemon/panes/shapes.ts'
import type { Act } from '../../src/protocol/act.ts'
import type { Session } from '../../src/protocol/session.ts'
import { until } from '../support/daemon.ts'
import { describeUnless, NO_TMUX } from '../support/needs.ts'
import { PrivateTmux } from '../tmux/support.ts'
import { type IdleClient, idleClient } from './idle-client.ts'

const ADA: By = { who: 'Ada', where: 'page' }

let tmux: PrivateTmux
let client: IdleClient
let panes: LocalPanes
let acts: Omit<Act, 'id' | 'at'>[]
let present: Session | undefined
let failure: Error | undefined
beforeEach(async () => {
  tmux = new PrivateTmux()
  if (NO_TMUX) return
  client = await idleClient(tmux)
  present = client.session
  acts = []
  failure = undefined
  panes = new LocalPanes(parts())
})
afterEach(async () => {
  panes?.close()
  await tmux.end()
})

const parts = (): PaneParts => ({
  session: (name) => (name === client.session.id ? present : undefined),
  acts: {
    note: (act) => {
      if (failure) throw failure
      acts.push(act)
      return { ...act, id: acts.length, at: 0 }
    },
  },
  now: () => 4_711,
  complain: () => {},
})

const id = () => client.session.id
const on = () => panes.setTyping(id(), true, ADA)
const words = () => acts.map(({ what, words: said }) => `${what}: ${said}`)
const becomes = (over: Partial<Session>) => {
  present = { ...client.session, ...over }
  panes.onSessionsChanged(new Set([id()]))
}

describeUnless(NO_TMUX)('the switch', () => {
  it('[PA8][PA22] is off until a person turns it on, for that session alone', async () => {
    expect(panes.typing(id())).toEqual({ session: id(), on: false, since: null, by: null })
    const off = `typing is off; turn it on with \`vigil typing ${id()} on\``
    const keys = panes.keys(id(), [{ text: 'x' }], ADA)
    await expect(keys).rejects.toThrow(off)
    await expect(panes.prompt(id(), 'go', ADA)).rejects.toThrow(off)
    present = { ...client.session, state: 'working' }
    await expect(panes.interrupt(id(), ADA)).rejects.toThrow(off)
    expect([acts, client.sent(), client.screen().includes('❯ x')]).toEqual([[], [], false])
    expect(on()).toEqual({ session: id(), on: true, since: 4_711, by: 'Ada' })
    expect(() => panes.setTyping('another', true, ADA)).toThrow('no such session')
  })

  it.each<[string, Partial<Session>]>([
    ['its session is closed', { state: 'closed' }],
    ['it goes on in another process', { pid: 1 }],
  ])('[PA8] is off again when %s', async (_, over) => {
    on()
    becomes({ state: 'working' })
    expect(panes.typing(id()).on).toBe(true)
    becomes(over)
    expect(panes.typing(id()).on).toBe(false)
    present = client.session
    await expect(panes.prompt(id(), 'go', ADA)).rejects.toThrow('typing is off')
    expect(words()).toEqual([
      'typing: allowed typing',
      'typing: ended typing: its session has ended',
    ])
    expect(acts.at(-1)).toMatchObject({ who: 'vigil', where: 'daemon' })
  })

  it('[PA8] is off again when its user says so, or the daemon ends', async () => {
    on()
    const late = panes.prompt(id(), 'too late', ADA)
    panes.setTyping(id(), false, ADA)
    await expect(late).rejects.toThrow('typing is off')
    on()
    panes.close()
    expect(words()).toEqual([
      'typing: allowed typing',
      'typing: ended typing',
      'typing: allowed typing',
      'typing: ended typing: daemon stopped',
    ])
    expect(client.sent()).toEqual([])
  })

  it('[PA8] cannot be turned on where there is no pane', async () => {
    const recorded = new LocalPanes({ ...parts(), recorded: true })
    const why = 'this is a recording'
    expect(() => recorded.setTyping(id(), true, ADA)).toThrow(why)
    await expect(recorded.view(id(), () => {})).rejects.toThrow(why)
    present = { ...client.session, tmuxPane: null }
    expect(on).toThrow('the session is not in tmux')
    present = { ...client.session, state: 'closed' }
    expect(on).toThrow('the session is closed')
  })
})

describeUnless(NO_TMUX)('what is typed', () => {
  it('[PA11] reaches the pane as it is, in its order', async () => {
    on()
    const text = `it's "so" $HOME \`x\` #{pane_id} ~ \\ ü ☕;`
    const typing = [...text].map((letter) => panes.keys(id(), [{ text: letter }], ADA))
    await Promise.all(typing)
    await panes.keys(id(), [{ text: ' -l' }, { key: 'Space' }, { paste: 'one\ntwo;' }], ADA)
    await panes.keys(id(), [{ key: 'Enter' }], ADA)
    await until('it is sent', () => client.sent().length === 1)
    expect(client.sent()).toEqual([`${text} -l one\ntwo;`])
  })

  it('[PA9] is noted before it is done: keys by their number, prompts as text', async () => {
    on()
    await panes.keys(id(), [{ text: 'secret' }, { key: 'BSpace' }], ADA)
    await panes.keys(id(), [{ key: 'C-u' }], ADA)
    await panes.keys(id(), [{ paste: 'more' }], { who: 'Bob', where: 'cli' })
    panes.setTyping(id(), false, ADA)
    expect(acts.map(({ who, what, words: said }) => [who, what, said])).toEqual([
      ['Ada', 'typing', 'allowed typing'],
      ['Ada', 'keys', 'started typing'],
      ['Ada', 'keys', '8 keys'],
      ['Bob', 'keys', 'started typing'],
      ['Bob', 'keys', '4 keys'],
      ['Ada', 'typing', 'ended typing'],
    ])
    expect(JSON.stringify(acts)).not.toContain('secret')
  })

  it('[PA9] a prompt in the log has at most 2,000 letters', async () => {
    on()
    await panes.prompt(id(), 'x'.repeat(3_000), ADA)
    const [, prompt] = acts
    expect([prompt?.what, prompt?.words.length]).toEqual(['prompt', 2_000])
    await until('it is sent', () => client.sent()[0]?.length === 3_000)
  })

  it('[PA9] what the log does not take is not done', async () => {
    on()
    failure = new Error('disk full')
    await expect(panes.keys(id(), [{ text: 'x' }], ADA)).rejects.toThrow('disk full')
    await expect(panes.prompt(id(), 'go', ADA)).rejects.toThrow('disk full')
    present = { ...client.session, state: 'working' }
    await expect(panes.interrupt(id(), ADA)).rejects.toThrow('disk full')
    expect(client.screen()).not.toContain('❯ x')
    expect(client.sent()).toEqual([])
    expect(panes.setTyping(id(), false, ADA).on).toBe(false)
    expect(on).toThrow('disk full')
    expect(panes.typing(id()).on).toBe(false)
  })

  it('[PA10] reaches only the session’s own process', async () => {
    on()
    const tried = () => panes.keys(id(), [{ text: 'rm' }, { key: 'Enter' }], ADA)
    present = { ...client.session, pid: process.pid }
    await expect(tried()).rejects.toThrow('its pane runs another program')
    present = client.session
    tmux.run(['copy-mode', '-t', client.pane])
    await expect(tried()).rejects.toThrow('its pane is in copy mode; leave it with q')
    tmux.run(['send-keys', '-t', client.pane, '-X', 'cancel'])
    tmux.run(['kill-pane', '-t', client.pane])
    const other = await idleClient(tmux)
    await expect(tried()).rejects.toThrow(/gone|tmux|another/)
    expect(other.sent()).toEqual([])
  })

  it('[PA10] nothing goes to a shell that is in front of a stopped client', async () => {
    const pane = tmux.run(['new-session', '-d', '-P', '-F', '#{pane_id}', 'bash -i'])
    tmux.run(['send-keys', '-t', pane, 'PS1=; clear; sleep 1000 & echo pid=$!', 'Enter'])
    const screen = () => tmux.run(['capture-pane', '-p', '-t', pane])
    await until('it runs', () => /^pid=\d+$/m.test(screen()))
    const pid = Number(/^pid=(\d+)$/m.exec(screen())?.[1])
    present = { ...client.session, tmuxPane: pane, pid }
    panes.setTyping(id(), true, ADA)
    const tried = panes.keys(id(), [{ text: 'echo owned' }, { key: 'Enter' }], ADA)
    await expect(tried).rejects.toThrow('another program is in its foreground')
    expect(screen()).not.toContain('owned')
  })
})

describeUnless(NO_TMUX)('a prompt', () => {
  it('[PA12] of several lines is sent as one, and cannot become keys', async () => {
    on()
    await panes.prompt(id(), 'one\ntwo\x1b[201~\rthree\x03', ADA)
    await until('it is sent', () => client.sent().length > 0)
    expect(client.sent()).toEqual(['one\ntwo[201~three'])
  })

  it.each(['waiting', 'starting', 'unknown'] as const)(
    '[PA12] is not for one that is %s',
    async (state) => {
      on()
      present = { ...client.session, state }
      await expect(panes.prompt(id(), 'go', ADA)).rejects.toThrow(`it is ${state};`)
      expect([client.sent(), words()]).toEqual([[], ['typing: allowed typing']])
    },
  )

  it.each([
    ['idle', false],
    ['error', false],
    ['background', false],
    ['working', true],
    ['stuck', true],
  ] as const)('[PA12][PA23] is for one that is %s; queued: %s', async (state, queued) => {
    on()
    present = { ...client.session, state }
    expect(await panes.prompt(id(), 'go', ADA)).toEqual({ done: true, queued })
    expect(client.sent()).toEqual(['go'])
  })

  it('[PA23] is for one at work only where its agent queues it', async () => {
    on()
    present = { ...client.session, state: 'working', agent: 'another' }
    await expect(panes.prompt(id(), 'go', ADA)).rejects.toThrow(
      'it is working; wait until it is idle',
    )
    expect(client.sent()).toEqual([])
  })

  it('[PA23] does not answer a dialog that comes up while it is typed', async () => {
    const asks = await idleClient(tmux, '', 'asks')
    present = { ...asks.session, id: id(), state: 'working' }
    on()
    await expect(panes.prompt(id(), 'go', ADA)).rejects.toThrow(
      'the typed text did not appear on its screen',
    )
    expect(asks.screen()).toContain('❯ 1. Yes')
    expect(asks.sent()).toEqual([])
    await expect(panes.prompt(id(), 'go', ADA)).rejects.toThrow('its screen shows no input line')
  })

  it('[PA12] is not typed over what its user writes', async () => {
    const busy = await idleClient(tmux, 'half a thou')
    present = { ...busy.session, id: id() }
    on()
    await expect(panes.prompt(id(), 'go', ADA)).rejects.toThrow('its input line is not empty')
    expect(busy.screen()).toContain('❯ half a thou')
    expect(busy.sent()).toEqual([])
  })
})

describeUnless(NO_TMUX)('an interrupt', () => {
  it('[PA14] is Escape to one that works, and to no other', async () => {
    on()
    await expect(panes.interrupt(id(), ADA)).rejects.toThrow('it is idle; there is nothing')
    present = { ...client.session, state: 'waiting' }
    await expect(panes.interrupt(id(), ADA)).rejects.toThrow('it is waiting;')
    present = { ...client.session, state: 'working' }
    await panes.interrupt(id(), ADA)
    tmux.run(['send-keys', '-t', client.pane, 'Enter'])
    await until('it came', () => client.sent().length > 0)
    expect(client.sent()).toEqual(['\x1b'])
    expect(words()).toEqual(['typing: allowed typing', 'interrupt: Escape'])
  })

  it('[PA14] is not sent into a dialog, which would take it for a no', async () => {
    on()
    tmux.run(['respawn-pane', '-k', '-t', client.pane, `printf '%s' '${DIALOG}'; sleep 1000`])
    await until('it asks', () => client.screen().includes('Do you want'))
    const pid = Number(tmux.ask(client.pane, '#{pane_pid}'))
    present = { ...client.session, state: 'working', pid }
    await expect(panes.interrupt(id(), ADA)).rejects.toThrow('its screen shows a dialog')
  })
})

const DIALOG = ` Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel`
