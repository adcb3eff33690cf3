import { expect, it } from 'vitest'
import { aSession } from '../../../test/support/sessions.ts'
import type { Source } from '../../core/signal.ts'
import type { Session } from '../../protocol/session.ts'
import { ScreenWatch } from './screen-watch.ts'

const watched = (source: Source | undefined, over: Partial<Session>) =>
  new ScreenWatch({ statusFrom: () => source, take: () => {} }).wantedOf(
    aSession({ id: 'a', agent: 'codex', pid: 4711, since: 1_000, ...over }),
    true,
  )

const isRead = (agent: string, source: Source | undefined) =>
  new ScreenWatch({ statusFrom: () => source, take: () => {} }).isUnspoken(
    aSession({ id: 'a', agent, pid: 4711 }),
  )

it('[TM29] a screen is read unless the client itself reports its state, dialogs included', () => {
  const read = ([undefined, 'title', 'registry', 'server'] as const).map((from) =>
    isRead('claude', from),
  )
  expect(read).toEqual([true, true, false, false])
})

it('[TM37] a screen that shows more than any other source is always read', () => {
  expect(isRead('codex', 'server')).toBe(true)
})

it('[TM30] a wait is read often for two minutes, unless the client tells when it is over', () => {
  expect(watched(undefined, { state: 'waiting' })?.soonUntil).toBe(121_000)
  expect(watched(undefined, { state: 'working' })?.soonUntil).toBe(0)
  expect(watched('server', { state: 'waiting' })?.soonUntil).toBe(0)
})
