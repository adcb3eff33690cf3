import { expect, it } from 'vitest'
import { allRecordings } from '../../test/support/recordings.ts'
import { ASPECTS, differencesOf, eventsIn } from './hook-worth.ts'

const asked = allRecordings().filter(({ name }) => name === 'bash_approve')

it('with all hooks nothing is shown differently', () => {
  const none = Object.fromEntries(ASPECTS.map((aspect) => [aspect, 0]))
  expect(differencesOf(asked, () => true)).toEqual(none)
})

it('a hook that tells something shows where it is left out', () => {
  expect(eventsIn(asked)).toContain('PermissionRequest')
  const without = differencesOf(asked, (event) => event !== 'PreToolUse')
  expect(without.tool).toBeGreaterThan(0)
  expect(without.unread).toBe(0)
})
