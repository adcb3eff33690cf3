import { describe, expect, it } from 'vitest'
import { readNotify } from './settings.ts'

const desk = { name: 'desk', kind: 'desktop' }

describe('settings of notifications', () => {
  it('[NO30] are off and without channels until they are made', () => {
    for (const nothing of [undefined, null, {}])
      expect(readNotify(nothing)).toEqual({
        faults: [],
        settings: { on: false, perMinute: 6, settleMs: 500, quiet: [], channels: [] },
      })
  })

  it('[NO30] one broken channel is said by its key and silences no other', () => {
    const { settings, faults } = readNotify({
      on: true,
      channels: [
        { name: 'sound', kind: 'sound' },
        { name: 'a b', kind: 'desktop' },
        { name: 'pigeon', kind: 'pigeon' },
        { name: 'phone', kind: 'ntfy', url: 'ftp://x' },
        { name: 'hook', kind: 'webhook', url: 'https://x', secret: 'short' },
        desk,
        desk,
      ],
    })
    expect(settings).toMatchObject({
      on: true,
      channels: [{ name: 'sound' }, { name: 'desk', afterMin: 0 }],
    })
    expect(faults.map((fault) => fault.split(':')[0])).toEqual([
      'notify.channels[1].name',
      'notify.channels[2].kind',
      'notify.channels[3].url',
      'notify.channels[4].secret',
      'notify.channels[6].name',
    ])
  })

  it('[NO30] that are invalid notify through no channel', () => {
    const { settings, faults } = readNotify({ on: true, quiet: [{ from: '25:00', to: 7 }] })
    expect(settings.on).toBe(false)
    expect(faults.join('\n')).toMatch(/notify\.quiet\.0\.from: expected a time such as 22:00/)
    for (const channels of ['desktop', { a: 1 }, 7])
      expect(readNotify({ channels }).faults).toEqual(['notify.channels: expected a list'])
  })

  it.each([
    ['https://ntfy.sh/x', true],
    ['http://127.0.0.1:8080/x', true],
    ['http://nas.local/x', true],
    ['http://192.168.1.5/x', true],
    ['http://example.org/x', false],
    ['http://10.example.org/x', false],
    ['javascript:alert(1)', false],
    ['no page', false],
  ])('[NO30] %s may be an address: %s', (url, isGood) => {
    const { faults } = readNotify({ channels: [{ name: 'a', kind: 'slack', url }] })
    expect(faults.length === 0).toBe(isGood)
  })
})
