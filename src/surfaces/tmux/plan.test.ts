import { describe, expect, it } from 'vitest'
import { aSession } from '../../../test/support/sessions.ts'
import { SETTINGS } from '../../home/settings-schema.ts'
import type { Session } from '../../protocol/session.ts'
import { NOTHING_WRITTEN, type PlanInput, plan, type Written, windowsToRename } from './plan.ts'
import { autosIn, type PaneSeen, type Seen, seenIn, type WindowSeen } from './reading.ts'
import { signOf, type TmuxSettings } from './signs.ts'
import { windowNameOf } from './window-name.ts'

const SETTINGS_OF = (over: Partial<TmuxSettings> = {}): TmuxSettings =>
  SETTINGS.parse({ tmux: { on: true, ...over } }).tmux

const NOW = 10_000_000

function pane(id: string, window: string, seen = false): PaneSeen {
  return { id, tty: '/dev/pts/1', window, seen, session: '$0' }
}

function windowSeen(id: string, over: Partial<WindowSeen> = {}): WindowSeen {
  const base = { id, name: 'zsh', auto: true, held: undefined, byHand: false }
  return { ...base, style: '', marked: false, ...over }
}

function seenOf(panes: readonly PaneSeen[], windows: readonly WindowSeen[], segment = ''): Seen {
  return {
    panes: new Map(panes.map((one) => [one.id, one])),
    windows: new Map(windows.map((one) => [one.id, one])),
    segment,
    activeAt: new Map(),
  }
}

const ONE = seenOf([pane('%1', '@1')], [windowSeen('@1')])

function agent(over: Partial<Session> = {}): Session {
  const base = { state: 'idle', after: 'work', since: NOW - 1_000 } as const
  return aSession({ id: 'one', tmuxPane: '%1', project: 'engine', ...base, ...over })
}

function planned(over: Partial<PlanInput> = {}) {
  const seen = over.seen ?? ONE
  const sessions = over.sessions ?? [agent()]
  const settings = over.settings ?? SETTINGS_OF()
  const taken = windowsToRename({ seen, sessions, settings, now: NOW })
  const autos = new Map(taken.map((id) => [id, 'inherit-on' as const]))
  const rest = { autos, segment: '', settings, before: NOTHING_WRITTEN, now: NOW }
  return plan({ seen, sessions, ...rest, ...over })
}

/** The server after the plan for `@1` was carried out. */
function done(written: Written, name = '🤖✅engine') {
  const held = { was: 'zsh', wrote: name, auto: 'inherit-on' } as const
  const window = windowSeen('@1', { name, auto: false, held, marked: true })
  return { seen: seenOf([pane('%1', '@1')], [window]), before: written }
}

function aLoop(hold: string | null): Session['loop'] {
  return { state: 'RUNNING', iteration: 1, max: 3, hold, until: null }
}

const text = (commands: readonly string[]) => commands.join('\n')

describe('what is written', () => {
  it('[TM12] a name, what it was, and the variables, on pane and window', () => {
    const { commands } = planned()
    expect(commands.filter((line) => line.includes('rename-window'))).toHaveLength(1)
    expect(text(commands)).toContain("@vigil_was '#{window_name}'")
    for (const [scope, target] of [
      ['p', '%1'],
      ['w', '@1'],
    ])
      for (const one of ['@agent_running "false"', '@vigil_state "idle"', '@vigil_unread "0"'])
        expect(text(commands)).toContain(`set -${scope}q -t ${target} ${one}`)
  })

  it('[TM13] nothing, when nothing changed', () => {
    const first = planned()
    expect(planned(done(first.written)).commands).toEqual([])
  })

  it('[TM13] only what changed', () => {
    const first = planned()
    const unread = planned({ ...done(first.written), sessions: [agent({ unread: true })] })
    expect(unread.commands.toSorted()).toEqual([
      'set -pq -t %1 @vigil_unread "1"',
      'set -wq -t @1 @vigil_unread "1"',
    ])
  })

  it('[TM14] inside a turn name and seed variables stay in stop-only mode', () => {
    const first = planned()
    const sessions = [
      agent({ state: 'working', after: null, doing: { what: 'thinking', since: 1 } }),
    ]
    const settings = SETTINGS_OF({ mode: 'stop-only' })
    const { commands } = planned({ ...done(first.written), sessions, settings })
    expect(commands.toSorted()).toEqual([
      'set -pq -t %1 @vigil_state "working"',
      'set -wq -t @1 @vigil_state "working"',
    ])
    const unseen = planned({ sessions, settings })
    expect(text(unseen.commands)).not.toMatch(/rename|@agent_running/)
  })

  it('[TM14] real-time shows the tool, and leaves the name under its user’s eyes', () => {
    const doing = { what: 'tool', tool: 'Bash', since: 1 } as const
    const sessions = [agent({ state: 'working', after: null, doing })]
    const settings = SETTINGS_OF({ mode: 'real-time' })
    const renames = (seen: Seen) => text(planned({ seen, sessions, settings }).commands)
    expect(renames(ONE)).toContain('rename-window')
    expect(renames(seenOf([pane('%1', '@1', true)], [windowSeen('@1')]))).not.toContain('rename')
  })

  it.each<[string, string, Partial<Session>]>([
    ['waits', '🤖🚨', { state: 'waiting', for: 'permission', after: null }],
    ['failed', '🤖🚨', { state: 'error', after: null, cause: 'rate_limit', unread: true }],
    ['is stuck', '🤖🚨', { state: 'stuck', after: null, unread: true }],
    ['has a loop that needs its user', '🤖🚨', { unread: true, loop: aLoop('which key?') }],
    ['has a loop that goes on', '🤖✅', { unread: true, loop: aLoop(null) }],
    ['failed and was seen', '🤖', { state: 'error', after: null, cause: 'rate_limit' }],
    ['works', '🤖', { state: 'working', after: null }],
    ['is done', '🤖✅', { unread: true }],
  ])('[TM33] unless told otherwise the window of an agent that %s has %s', (_, sign, over) => {
    expect(signOf(agent(over), NOW, SETTINGS_OF(), false)?.sign).toBe(sign)
  })

  it('[TM34] marks colours a window that needs its user, once, and names none', () => {
    const settings = SETTINGS_OF({ mode: 'marks' })
    const sessions = [agent({ state: 'waiting', for: 'plan', after: null })]
    const styled = (style: string, over: Partial<PlanInput> = {}) => {
      const seen = seenOf([pane('%1', '@1')], [windowSeen('@1', { style })])
      return text(planned({ seen, sessions, settings, ...over }).commands)
    }
    expect(styled('')).toContain('window-status-style fg=yellow,bold')
    expect(styled('')).not.toMatch(/rename-window|@vigil_was/)
    expect(styled('fg=yellow,bold')).not.toContain('window-status-style')
    expect(styled('fg=red,bold')).toContain('window-status-style fg=yellow,bold')
    const gone = [{ sessions: [agent()] }, { sessions: [] }, { settings: SETTINGS_OF() }]
    for (const over of gone) {
      expect(styled('fg=red,bold', over)).toContain('set -wuq -t @1 window-status-style')
      expect(styled('fg=red,bold', over)).not.toContain('window-status-style fg=')
    }
  })

  it('[TM15] several agents in one window: the neediest', () => {
    const seen = seenOf([pane('%1', '@1'), pane('%2', '@1')], [windowSeen('@1')])
    const asks = agent({ id: 'two', tmuxPane: '%2', state: 'waiting', for: 'plan', after: null })
    const { commands } = planned({ seen, sessions: [agent(), asks] })
    expect(commands).toContain('set -wq -t @1 @vigil_state "waiting"')
    expect(commands).toContain('set -wq -t @1 @vigil_for "plan"')
    expect(commands).toContain('set -pq -t %1 @vigil_state "idle"')
    expect(commands).toContain('set -pq -t %2 @vigil_state "waiting"')
  })

  it('[TM16] the segment, when it is another', () => {
    const segments = (seen: Seen, segment: string) =>
      planned({ seen, sessions: [], segment }).commands
    expect(segments(seenOf([], []), '')).toEqual([])
    expect(segments(seenOf([], [], '◆2'), '◆2')).toEqual([])
    expect(segments(seenOf([], [], '◆2'), '')).toEqual(['set -suq @vigil_segment'])
    expect(text(segments(seenOf([], []), '◆2'))).toMatch(/^set -sq @vigil_segment "[\x20-\x7e]+"$/)
  })
})

describe('what is given back', () => {
  const held = { was: 'a\\\\b', wrote: '🤖✅a\\\\b', auto: 'off' } as const

  it('[TM17] name and automatic-rename, and nothing of ours stays', () => {
    const gone = planned({ ...done(planned().written), sessions: [] })
    const all = text(gone.commands)
    expect(all).toContain('set -wu -t @1 automatic-rename')
    for (const one of ['@vigil_was', '@vigil_auto', '@vigil_wrote', '@vigil_name', '@vigil_state'])
      expect(all).toContain(`set -wuq -t @1 ${one}`)
    expect(all).toContain('set -puq -t %1 @vigil_state')
    expect(gone.written).toEqual({ names: new Map(), values: new Map() })
  })

  it('[TM17] a name that tmux shows escaped, as it was given', () => {
    const seen = seenOf([pane('%1', '@1')], [windowSeen('@1', { name: held.wrote, held })])
    const all = text(planned({ seen, sessions: [] }).commands)
    expect(all).toContain('@vigil_name "a\\134b"')
    expect(all).toContain('set -w -t @1 automatic-rename off')
  })

  it('[TM18] what one of us left behind, though we do not know it', () => {
    const window = windowSeen('@1', { name: held.wrote, held, marked: true })
    const all = text(planned({ seen: seenOf([pane('%1', '@1')], [window]), sessions: [] }).commands)
    expect(all).toContain('rename-window')
    expect(all).toContain('set -wuq -t @1 @agent_running')
    expect(all).toContain('set -puq -t %1 @agent_running')
  })

  it('[TM19] not a name given by hand, which stays while an agent is there', () => {
    const first = planned()
    const { seen, before } = done(first.written)
    const [window] = seen.windows.values()
    const renamed = seenOf([pane('%1', '@1')], [{ ...windowSeen('@1'), ...window, name: 'mine' }])
    const found = planned({ seen: renamed, before })
    expect(text(found.commands)).not.toContain('rename-window')
    expect(found.commands).toContain('set -wq -t @1 @vigil_hand 1')
    const byHand = seenOf([pane('%1', '@1')], [windowSeen('@1', { name: 'mine', byHand: true })])
    const later = { seen: byHand, before: found.written, sessions: [agent({ unread: true })] }
    expect(text(planned(later).commands)).not.toMatch(/rename|automatic/)
    const gone = planned({ seen: byHand, before: found.written, sessions: [] })
    expect(text(gone.commands)).not.toMatch(/rename|automatic/)
    expect(gone.commands).toContain('set -wuq -t @1 @vigil_hand')
  })
})

describe('time', () => {
  it('[TM20] a finished turn is looked at again when it stops being news', () => {
    expect(planned().lookAgainAt).toBe(NOW - 1_000 + 1_800_001)
    expect(planned({ sessions: [agent({ since: 0, state: 'waiting' })] }).lookAgainAt).toBe(
      undefined,
    )
  })
})

describe('names', () => {
  const name = (template: string, window: WindowSeen, over: Partial<Session> = {}) =>
    Buffer.from(windowNameOf(template, '🤖', agent(over), window)).toString()

  it('[TM21] the window’s own name is kept, one that tmux gave is the project’s', () => {
    expect(name('{sign}{name}', windowSeen('@1', { name: 'api', auto: false }))).toBe('🤖api')
    expect(name('{sign}{name}', windowSeen('@1'))).toBe('🤖engine')
    expect(name('{sign}{name}', windowSeen('@1'), { project: null })).toBe('🤖zsh')
    const held = { was: 'api', wrote: '🤖api', auto: 'inherit-off' } as const
    expect(name('{name}', windowSeen('@1', { name: '🤖api', auto: false, held }))).toBe('api')
  })

  it('[TM21] templates take what is known, and leave what is not theirs', () => {
    const over = { branch: 'main', state: 'waiting', for: 'plan' } as const
    const template = '{project}@{branch} {state}/{for} [{window}] {nobody} {title}'
    expect(name(template, windowSeen('@1'), over)).toBe('engine@main waiting/plan [zsh] {nobody} ')
    expect(name('{title}', windowSeen('@1'), { title: 'a\x1b[31mb' })).toBe('a [31mb')
  })

  it('[TM21] signs: a set, or the user’s own', () => {
    const sign = (over: Partial<TmuxSettings>, session = agent()) =>
      signOf(session, NOW, SETTINGS_OF({ mode: 'real-time', ...over }), false)?.sign
    const doing = { what: 'tool', tool: 'Bash', since: 1 } as const
    const works = agent({ state: 'working', after: null, doing })
    expect(sign({})).toBe('🤖✅')
    expect(sign({ glyphs: 'ascii' })).toBe('[+] ')
    expect(sign({ glyphs: 'nerd' })).toMatch(/^[\ue000-\uf8ff] $/)
    expect(sign({ signs: { COMPLETED: 'done ' } })).toBe('done ')
    expect(sign({}, works)).toBe('🤖🧪')
    expect(sign({ signs: { Bash: '$ ' } }, works)).toBe('$ ')
    expect(sign({ signs: { constructor: 'x' } as Record<string, string> }, works)).toBe('🤖🧪')
  })
})

describe('reading a server', () => {
  const row = (...fields: string[]) => ['pane', ...fields].join('\t')
  const LINES = [
    row('%1', '@1', '$0', '/dev/pts/1', '11', '0', 'inherit-on', '', '1', '🤖 x', 'x', '🤖 x', ''),
    row('%1', '@1', '$1', '/dev/pts/1', '10', '0', 'inherit-on', '', '', '🤖 x', 'x', '🤖 x', ''),
    row('%2', '@2', '$1', '/dev/pts/2', '11', '1', '', '1', '', 'y', '', '', ''),
    row('%3', 'torn'),
    'client\t77\t$0\tattached,focused,UTF-8\t1000',
    'client\t99\t$1\tattached,focused,control-mode\t2000',
    'segment\t◆2',
  ]

  it('[TM22] finds the sessions that a user looks at, other than vigil’s own client', () => {
    const seen = seenIn(LINES, 99)
    expect([...seen.panes.values()].map(({ id, seen: is }) => [id, is])).toEqual([
      ['%1', true],
      ['%2', false],
    ])
    expect(seenIn(LINES, 77).panes.get('%2')?.seen).toBe(true)
    expect(seen.windows.get('@1')).toMatchObject({ marked: true, auto: false, byHand: false })
    expect(seen.windows.get('@2')).toMatchObject({ held: undefined, auto: true, byHand: true })
    expect([seen.segment, seen.activeAt.get('$0')]).toEqual(['◆2', 1000])
  })

  it('[TM22] tells what was set from what was inherited', () => {
    const seen = seenOf([], [windowSeen('@1'), windowSeen('@2', { auto: false })])
    expect(autosIn(['@1', '@2', '@3', 'on', '@4', 'off'], seen)).toEqual(
      new Map([
        ['@1', 'inherit-on'],
        ['@2', 'inherit-off'],
        ['@3', 'on'],
        ['@4', 'off'],
      ]),
    )
  })
})
