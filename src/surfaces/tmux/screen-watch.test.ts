import { expect, it } from 'vitest'
import { aSession } from '../../../test/support/sessions.ts'
import type { Source } from '../../core/signal.ts'
import { ScreenWatch } from './screen-watch.ts'

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
