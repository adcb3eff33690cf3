import { describe, expect, it } from 'vitest'
import { Scene } from '../../test/support/scene.ts'
import { looksSame, react } from './react.ts'
import type { Verdict } from './verdict.ts'

const working = () => new Scene().start().wait(1_000).prompt().wait(1_000)
const asking = () => working().tool('Bash').wait(500).asks('Bash')
const WAITING = asking().verdict()
const READ = asking().wait(1_000).look().verdict()
const WORKING = working().verdict()
const does = (before: Verdict | undefined, after: Verdict) =>
  react(before, after).map((effect) => effect.do)

describe('a change of verdict', () => {
  it.each<Partial<Verdict>>([
    { state: 'stuck' },
    { for: 'plan' },
    { after: 'talk' },
    { cause: 'overloaded' },
    { unread: false },
    { typing: true },
    { detached: true },
    { loop: { state: 'ACTIVE', iteration: 1, max: 2, hold: null, until: null } },
  ])('[M7] is one in %o', (change) => {
    expect(looksSame(WAITING, { ...WAITING, ...change })).toBe(false)
    expect(looksSame({ ...WAITING, ...change }, WAITING)).toBe(false)
  })

  it.each<Partial<Verdict>>([
    { since: 1 },
    { rule: 'W9' },
    { reason: 'another' },
    { grounds: [] },
    { tasks: [{ id: 'a', what: 'shell' }] },
    { doing: { what: 'thinking', since: 1 } },
    { details: { model: 'm' } },
  ])('[M7] is none in %o', (change) => {
    expect(looksSame(WAITING, { ...WAITING, ...change })).toBe(true)
    expect(react(WAITING, { ...WAITING, ...change })).toEqual([])
  })

  it('[A6] is to be shown, as is the first verdict', () => {
    const after = working().wait(500).stop().verdict()
    expect(react(undefined, WORKING)).toEqual([{ do: 'show', verdict: WORKING }])
    expect(react(WORKING, after)).toEqual([{ do: 'show', verdict: after }])
    expect(react(WORKING, WORKING)).toEqual([])
  })
})

describe('a session that turns unread', () => {
  it('[A5] is to be notified once the verdict has stood for half a second', () => {
    const notify = { do: 'notify', verdict: WAITING, settleMs: 500 }
    expect(react(WORKING, WAITING)).toContainEqual(notify)
    expect(react(undefined, WAITING)).toContainEqual(notify)
  })

  it('[A5] is not notified twice', () => {
    expect(does(WAITING, asking().wait(5_000).verdict())).toEqual([])
    expect(does(WAITING, asking().wait(500).key('n').verdict())).not.toContain('notify')
  })

  it('[A5] the notification is withdrawn when it is read', () => {
    expect(react(WAITING, READ)).toEqual([
      { do: 'show', verdict: READ },
      { do: 'withdraw', session: 'session-1' },
    ])
  })

  it('[A5] the notification is withdrawn when it is over', () => {
    expect(does(WAITING, asking().wait(500).toolDone('Bash').verdict())).toContain('withdraw')
    expect(does(WAITING, asking().wait(500).process(false).verdict())).toContain('withdraw')
  })

  it('[A5] nothing is withdrawn that was read before', () => {
    expect(does(READ, WORKING)).toEqual(['show'])
  })

  it('[A5] another question takes the place of the first', () => {
    const next = asking().toolDone('Bash').wait(2_000).tool('Write').wait(500).asks('Write')
    expect(does(WAITING, next.verdict())).toEqual(['withdraw', 'notify'])
    const failed = working().hook('StopFailure', { error: 'x' }).verdict()
    expect(does(WAITING, failed)).toEqual(['show', 'withdraw', 'notify'])
  })
})
