import { expect, it } from 'vitest'
import { aSession } from '../../../test/support/sessions.ts'
import { ScreenWatch } from './screen-watch.ts'

it('[TM37] a screen that shows more than hooks is read beside them, any other is not', () => {
  const explain = () => ({ heard: { hook: 1 } }) as never
  const screens = new ScreenWatch({ explain, take: () => {} })
  const read = ['codex', 'claude'].map((agent) =>
    screens.isUnspoken(aSession({ id: 'a', agent, pid: 4711 })),
  )
  expect(read).toEqual([true, false])
})
