import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ENVELOPE_MAX_BYTES,
  type EnvelopeExpectation,
  type EnvelopeHead,
  openEnvelope,
  ROW_MAX_BYTES,
  ROW_PLAIN_MAX_BYTES,
  sealEnvelope,
} from './envelope.ts'
import { FleetError } from './errors.ts'
import { newMachineKeys, signWith } from './keys.ts'

const FLEET = '0123456789abcdef'
const A = `m${'a'.repeat(24)}`
const B = `m${'b'.repeat(24)}`
const a = newMachineKeys()
const b = newMachineKeys()
const groupKey = Buffer.alloc(32, 7)
const row = { session: { id: 's', prompt: 'delete the secret file' }, isCut: false }

function headOf(over: Partial<EnvelopeHead> = {}): EnvelopeHead {
  const base = { fleet: FLEET, machine: A, kind: 'row', about: `row.${A}.x` } as const
  return { ...base, rev: 1, at: 5, key: 1, ...over }
}

function expecting(over: Partial<EnvelopeExpectation> = {}): EnvelopeExpectation {
  return {
    fleet: FLEET,
    kind: 'row',
    about: `row.${A}.x`,
    signKeyOf: (machine) => ({ [A]: a.signPublic, [B]: b.signPublic })[machine],
    groupKeyOf: (key) => (key === 1 || key === 'lookers-1' ? groupKey : undefined),
    ...over,
  }
}

const sealed = sealEnvelope(headOf(), row, a.signSeed, groupKey)
const whyOf = (bytes: Uint8Array, over: Partial<EnvelopeExpectation> = {}) => {
  const opened = openEnvelope(bytes, expecting(over))
  return opened.ok ? 'ok' : opened.why
}

describe('an envelope', () => {
  it('[FL4] opens to what was put in, and shows its head alone', () => {
    expect(openEnvelope(sealed, expecting())).toEqual({ ok: true, head: headOf(), payload: row })
    expect([sealed.includes(A), sealed.includes('secret')]).toEqual([true, false])
    expect(sealEnvelope(headOf(), row, a.signSeed, groupKey)).not.toEqual(sealed)
    const forLookers = sealEnvelope(headOf({ key: 'lookers-1' }), row, a.signSeed, groupKey)
    expect(whyOf(forLookers)).toBe('ok')
  })

  it('[FL4] of a roster is signed and not encrypted, of all others encrypted', () => {
    const head = headOf({ kind: 'roster', about: 'roster', key: null })
    const roster = sealEnvelope(head, { members: [] }, a.signSeed)
    const expected = { kind: 'roster', about: 'roster', groupKeyOf: () => undefined } as const
    expect(openEnvelope(roster, expecting(expected))).toMatchObject({ payload: { members: [] } })
    expect(() => sealEnvelope(headOf({ key: null }), row, a.signSeed)).toThrow('a group key')
    const open = forged({ ...headOf(), key: null }, Buffer.from('{}'))
    expect(whyOf(open)).toBe('key')
  })

  it('[FL5] is refused with any byte changed, and with any cut off', () => {
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(whyOf(changed), `byte ${at}`).not.toBe('ok')
      expect(whyOf(sealed.subarray(0, at)), `cut at ${at}`).not.toBe('ok')
    }
  })

  it('[FL5] is refused with one word that says why', () => {
    expect(whyOf(sealed, { fleet: 'f'.repeat(16) })).toBe('fleet')
    expect(whyOf(sealed, { kind: 'beat' })).toBe('kind')
    expect(whyOf(sealed, { about: `row.${A}.y` })).toBe('about')
    expect(whyOf(sealed, { signKeyOf: () => undefined })).toBe('stranger')
    expect(whyOf(sealed, { machine: B })).toBe('stranger')
    expect(whyOf(sealed, { signKeyOf: () => b.signPublic })).toBe('signature')
    expect(whyOf(sealed, { groupKeyOf: () => undefined })).toBe('key')
    expect(whyOf(sealed, { groupKeyOf: () => Buffer.alloc(32, 8) })).toBe('key')
    expect(whyOf(Buffer.alloc(0))).toBe('malformed')
    const roster = { kind: 'roster', about: 'roster' } as const
    const head = { ...headOf(), ...roster, key: null }
    expect(whyOf(forged(head, Buffer.of(3, 0)), roster)).toBe('payload')
    expect(whyOf(forged(head, Buffer.from('no deflate')), roster)).toBe('key')
  })

  it('[FL5] of a member that speaks for another is refused', () => {
    const row = headOf({ machine: B })
    expect(whyOf(sealEnvelope(row, {}, b.signSeed, groupKey))).toBe('about')
    for (const kind of ['beat', 'lookers'] as const) {
      const about = `${kind}.${A}`
      const head = headOf({ machine: B, kind, about })
      expect(whyOf(sealEnvelope(head, {}, b.signSeed, groupKey), { kind, about })).toBe('about')
    }
    // The name of another, and one's own key.
    expect(whyOf(sealEnvelope(headOf(), {}, b.signSeed, groupKey))).toBe('signature')
  })

  it('[FL5] any bytes are refused, and none throws', () => {
    const bytes = fc.uint8Array({ maxLength: 600 })
    fc.assert(fc.property(bytes, (noise) => whyOf(noise) !== 'ok'))
    const head = fc.oneof(fc.json().map(String), fc.string())
    fc.assert(fc.property(head, bytes, (text, rest) => whyOf(framed(text, rest)) !== 'ok'))
    const fields = fc.record({ v: fc.anything(), key: fc.anything(), rev: fc.anything() })
    fc.assert(
      fc.property(fields, bytes, (over, rest) => {
        const text = JSON.stringify({ ...headOf(), ...over }, (_, value) =>
          typeof value === 'bigint' ? String(value) : value,
        )
        expect(whyOf(forgedText(text, rest))).not.toBe('ok')
      }),
    )
  })

  it('[FL6] of a row has at most 8 KB, of all else 900 KB', () => {
    const about = `row.${A}.${'f'.repeat(64)}`
    const key = 'k'.repeat(64)
    const head = headOf({ about, key, rev: Number.MAX_SAFE_INTEGER, at: 1_800_000_000_000.123 })
    const full = 'x'.repeat(ROW_PLAIN_MAX_BYTES - 2)
    const bytes = sealEnvelope(head, full, a.signSeed, groupKey)
    expect(bytes.length).toBeLessThanOrEqual(ROW_MAX_BYTES)
    expect(whyOf(bytes, { about, groupKeyOf: () => groupKey })).toBe('ok')
    const over = 'x'.repeat(ROW_MAX_BYTES)
    expect(() => sealEnvelope(head, over, a.signSeed, groupKey)).toThrow(FleetError)
    const reply = headOf({ kind: 'reply', about: 'call-1' })
    const big = sealEnvelope(reply, over, a.signSeed, groupKey)
    expect(whyOf(big, { kind: 'reply', about: 'call-1' })).toBe('ok')
    const huge = 'x'.repeat(ENVELOPE_MAX_BYTES)
    expect(() => sealEnvelope(reply, huge, a.signSeed, groupKey)).toThrow('larger than 921600')
    const long = Buffer.concat([sealed, Buffer.alloc(ROW_MAX_BYTES)])
    expect(whyOf(long)).toBe('malformed')
  })

  it('[FL6] of a roster that would unpack to more than 4 MB is refused', () => {
    const head = headOf({ kind: 'roster', about: 'roster', key: null })
    const bomb = sealEnvelope(head, 'x'.repeat(5_000_000), a.signSeed)
    expect(whyOf(bomb, { kind: 'roster', about: 'roster' })).toBe('key')
  })

  it('[FL7] with fields that this version does not know is read; another version is not', () => {
    const newer = { ...headOf(), hue: 'blue' } as EnvelopeHead
    const opened = openEnvelope(sealEnvelope(newer, row, a.signSeed, groupKey), expecting())
    expect(opened).toEqual({ ok: true, head: headOf(), payload: row })
    expect(whyOf(forgedText(JSON.stringify({ ...headOf(), v: 2 }), Buffer.alloc(40)))).toBe(
      'version',
    )
  })
})

/** A head and content of one's own, well signed. */
function forged(head: EnvelopeHead, content: Uint8Array): Buffer {
  return forgedText(JSON.stringify({ v: 1, ...head }), content)
}

function forgedText(head: string, content: Uint8Array): Buffer {
  const signed = framed(head, content)
  return Buffer.concat([signed, signWith(a.signSeed, 'envelope', signed)])
}

function framed(head: string, content: Uint8Array): Buffer {
  const text = Buffer.from(head)
  return Buffer.concat([Buffer.of((text.length >> 8) & 255, text.length & 255), text, content])
}
