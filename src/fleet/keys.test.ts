import { nkeys } from '@nats-io/transport-node'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isBoxKey,
  isSignedBy,
  isSignPublic,
  newMachineKeys,
  openSealed,
  sealFor,
  signChallenge,
  signPublicOf,
  signWith,
} from './keys.ts'
import { crc16, userPublicBytes, userPublicText, userSeedBytes, userSeedText } from './nkey.ts'

const keys = newMachineKeys()
const others = newMachineKeys()
const words = Buffer.from('rm -rf build')

describe('a key as NATS writes it', () => {
  it('[FL1] is that of the documentation of NATS', () => {
    const seed = 'SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY'
    expect(signPublicOf(seed)).toBe('UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4')
    expect(crc16(Buffer.from('123456789'))).toBe(0x31c3)
  })

  it('[FL2] signs a login as NATS does, and that signature is of no message', () => {
    const pair = nkeys.fromSeed(new TextEncoder().encode(keys.signSeed))
    const nonce = 'vigil fleet 1 envelope\0 \u00ff'
    const signature = signChallenge(keys.signSeed, nonce)
    expect(signature).toEqual(Buffer.from(pair.sign(new TextEncoder().encode(nonce))))
    for (const purpose of ['envelope', 'join', 'welcome'] as const)
      expect(isSignedBy(keys.signPublic, purpose, Buffer.from(nonce), signature)).toBe(false)
  })

  it('[FL1] begins with SU and U, and reads back', () => {
    expect([keys.signSeed.slice(0, 2), keys.signPublic[0]]).toEqual(['SU', 'U'])
    expect([keys.signSeed.length, keys.signPublic.length]).toEqual([58, 56])
    expect(signPublicOf(keys.signSeed)).toBe(keys.signPublic)
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(userPublicBytes(userPublicText(bytes))).toEqual(Buffer.from(bytes))
        expect(userSeedBytes(userSeedText(bytes))).toEqual(Buffer.from(bytes))
      }),
    )
  })

  it('[FL1] with any letter changed, cut or in another place is none', () => {
    for (let at = 0; at < 56; at++) {
      const letter = keys.signPublic[at] === 'A' ? 'B' : 'A'
      const changed = keys.signPublic.slice(0, at) + letter + keys.signPublic.slice(at + 1)
      expect(isSignPublic(changed)).toBe(false)
    }
    for (const text of ['', 'U', keys.signSeed, keys.signPublic.slice(1), `${keys.signPublic}A`])
      expect(isSignPublic(text)).toBe(false)
    expect(signPublicOf(keys.signPublic)).toBeUndefined()
    expect([isBoxKey(keys.boxPublic), isBoxKey(`${keys.boxPublic}=`)]).toEqual([true, false])
  })
})

describe('a signature', () => {
  it('[FL2] is valid for its machine, purpose and bytes alone', () => {
    const signature = signWith(keys.signSeed, 'envelope', words)
    expect(isSignedBy(keys.signPublic, 'envelope', words, signature)).toBe(true)
    expect(isSignedBy(others.signPublic, 'envelope', words, signature)).toBe(false)
    expect(isSignedBy(keys.signPublic, 'welcome', words, signature)).toBe(false)
    expect(isSignedBy(keys.signPublic, 'envelope', Buffer.from('rm'), signature)).toBe(false)
    expect(isSignedBy('U', 'envelope', words, signature)).toBe(false)
    expect(isSignedBy(keys.signPublic, 'envelope', words, signature.subarray(1))).toBe(false)
  })

  it('[FL2] is never that of a login, whose challenge the server chooses', async () => {
    const { createPrivateKey, sign } = await import('node:crypto')
    const seed = userSeedBytes(keys.signSeed) ?? Buffer.alloc(0)
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    const whole = Buffer.concat([Buffer.of(0xff), Buffer.from('vigil fleet 1 envelope\0'), words])
    // The text that comes nearest to what a machine signs: FF itself no text can have.
    const challenge = Buffer.from(whole.toString('utf8'))
    expect(isSignedBy(keys.signPublic, 'envelope', words, sign(null, whole, key))).toBe(true)
    for (const text of [words, challenge, whole.subarray(1)])
      expect(isSignedBy(keys.signPublic, 'envelope', words, sign(null, text, key))).toBe(false)
  })
})

describe('what is sealed for a machine', () => {
  it('[FL3] is opened by its key alone', () => {
    const sealed = sealFor(keys.boxPublic, words)
    expect(openSealed(keys.boxPrivate, sealed)).toEqual(words)
    expect(openSealed(others.boxPrivate, sealed)).toBeUndefined()
    expect(sealed.includes(words)).toBe(false)
    expect(sealFor(keys.boxPublic, words)).not.toEqual(sealed)
    expect(openSealed(keys.boxPrivate, sealFor(keys.boxPublic, Buffer.alloc(0)))).toHaveLength(0)
  })

  it('[FL3] is refused with any byte changed', () => {
    const sealed = sealFor(keys.boxPublic, words)
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(openSealed(keys.boxPrivate, changed)).toBeUndefined()
    }
    expect(openSealed(keys.boxPrivate, Buffer.alloc(100))).toBeUndefined()
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(openSealed(keys.boxPrivate, bytes)).toBeUndefined()
      }),
    )
  })
})
