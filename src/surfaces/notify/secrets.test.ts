import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WITH_SECRET, WITHOUT_SECRET } from '../../../test/notify/secret-lines.ts'
import { slowTexts } from '../../../test/notify/slow-texts.ts'
import { isLinear } from '../../../test/support/growth.ts'
import { withoutSecrets } from './secrets.ts'
import { told } from './text.ts'

const LEAVES = { hideSecrets: true }

describe('secrets', () => {
  it.each(WITH_SECRET)('[OS8] does not leave the machine: %s', (line) => {
    expect(line).toContain('hunter2')
    expect(withoutSecrets(line)).not.toContain('hunter2')
    expect(withoutSecrets(line)).toContain('[hidden]')
  })

  it('[OS8] is found behind other words, and in front of them', () => {
    const line = fc.constantFrom(...WITH_SECRET)
    const harmless = fc.constantFrom(...WITHOUT_SECRET)
    fc.assert(
      fc.property(harmless, line, harmless, (before, secret, after) => {
        expect(withoutSecrets(`${before}; ${secret}`)).not.toContain('hunter2')
        expect(withoutSecrets(`${before}\n${secret}\n${after}`)).not.toContain('hunter2')
      }),
      { numRuns: 1_000 },
    )
  })

  it.each(WITHOUT_SECRET)('[OS8] and what is none stays: %s', (line) => {
    expect(withoutSecrets(line)).toBe(line)
  })

  it('[OS8] there are enough of both to mean something', () => {
    expect(WITH_SECRET.length).toBeGreaterThanOrEqual(60)
    expect(WITHOUT_SECRET.length).toBeGreaterThanOrEqual(60)
  })

  it('[OS8] hides nothing more the second time', () => {
    const parts = fc.constantFrom(...WITH_SECRET, ...WITHOUT_SECRET, '"', "'", '=', ' ', '[hidden]')
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 5 }), (lines) => {
        const once = withoutSecrets(lines.join(''))
        expect(withoutSecrets(once)).toBe(once)
      }),
      { numRuns: 2_000 },
    )
  })

  it('[OS8] is looked for before a text is cut, wherever that would be', () => {
    const secret = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`
    for (let unseen = 7_940; unseen <= 8_000; unseen++) {
      const line = told(`${'\u200b'.repeat(unseen)}run ${secret} now`, 300, LEAVES)
      expect(line).not.toMatch(/ghp|16C7/)
    }
  })
})

describe('how long it takes', () => {
  it.each(slowTexts())('[OS9] grows with the text and no faster: %s', (_, text) => {
    expect(isLinear(withoutSecrets, text(8_000), text(80_000))).toBe(true)
  })
})
