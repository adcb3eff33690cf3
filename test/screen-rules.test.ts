import { describe, expect, it } from 'vitest'
import { type Agreement, addAgreement } from '../lab/score/screen-rules.ts'
import { readScreen, ruledBy } from '../src/agents/claude/screen.ts'
import { CONFIDENCE_MIN, SCREEN_RULES } from '../src/agents/claude/screen-rules.ts'
import type { RecordedLine } from '../src/agents/truth-reader.ts'
import { allRecordings } from './support/recordings.ts'

const recordings = allRecordings()
const measured = new Map<string, Agreement>()
for (const { lines } of recordings) addAgreement(measured, lines)

const isScreen = ({ source }: RecordedLine) => source === 'screen'

describe.each(SCREEN_RULES)('the rule “$name”', (rule) => {
  it('[X11] is seen in the recording it names, of the client it names', () => {
    const recording = recordings.find(({ name }) => name === rule.seenIn)
    const screens = recording?.lines.filter(isScreen) ?? []
    expect(screens.some(({ text }) => ruledBy(String(text)).rule === rule)).toBe(true)
    const meta = recording?.lines.find(({ source }) => source === 'meta')
    expect(meta?.version).toBe(rule.version)
  })

  it('[X11] agrees with the client’s own word as often as it says', () => {
    const { ms = 0, agreedMs = 0 } = measured.get(rule.name) ?? {}
    const share = ms > 0 ? agreedMs / ms : 1
    expect(Math.abs(share - rule.confidence), `measured: ${share}`).toBeLessThan(0.005)
  })
})

describe('a rule of the screen', () => {
  it('[X11] has a name of its own', () => {
    expect(new Set(SCREEN_RULES.map(({ name }) => name)).size).toBe(SCREEN_RULES.length)
  })

  it('[X11] decides nothing where it is right too seldom', () => {
    const unsure = SCREEN_RULES.find(({ name }) => name === 'a permission')
    const recording = recordings.find(({ name }) => name === unsure?.seenIn)
    const screens = recording?.lines.filter(isScreen) ?? []
    const text = String(screens.find((one) => ruledBy(String(one.text)).rule === unsure)?.text)
    expect(readScreen(text).shows).toBe('dialog')
    const kept = unsure?.confidence
    try {
      Object.assign(unsure ?? {}, { confidence: CONFIDENCE_MIN - 0.01 })
      expect(readScreen(text)).toEqual({ shows: 'nothing' })
    } finally {
      Object.assign(unsure ?? {}, { confidence: kept })
    }
  })
})
