import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from 'node:crypto'
import { userPublicBytes, userPublicText, userSeedBytes, userSeedText } from './nkey.ts'

/** The secrets of a machine in a fleet, with their public halves. */
export interface MachineKeys {
  /** Ed25519, as an nkey of a user: `SU…` and `U…`. */
  readonly signSeed: string
  readonly signPublic: string
  /** X25519, base64url. */
  readonly boxPrivate: string
  readonly boxPublic: string
}

export const KEY_BYTES = 32
export const SIGNATURE_BYTES = 64
const IV_BYTES = 12
const TAG_BYTES = 16

/** What comes before the key itself in DER: Node takes keys in no other binary form. */
const DER = {
  signPrivate: Buffer.from('302e020100300506032b657004220420', 'hex'),
  signPublic: Buffer.from('302a300506032b6570032100', 'hex'),
  boxPrivate: Buffer.from('302e020100300506032b656e04220420', 'hex'),
  boxPublic: Buffer.from('302a300506032b656e032100', 'hex'),
}

/**
 * SPEC FL2. Begins all that a machine signs. The same key signs the challenges of a NATS login, and
 * a hostile server chooses those: it could have a forged roster signed as a challenge. A challenge
 * is text, and no text in UTF-8 has the byte FF.
 */
const SIGNED_MARK = Buffer.concat([Buffer.of(0xff), Buffer.from('vigil fleet 1 ')])

/** What a signature is for: one made for an envelope is worthless on a welcome. */
export type SignedPurpose = 'envelope' | 'join' | 'welcome'

export function newMachineKeys(): MachineKeys {
  const seed = randomBytes(KEY_BYTES)
  const box = randomBytes(KEY_BYTES)
  return {
    signSeed: userSeedText(seed),
    signPublic: userPublicText(publicPart(privateKey('signPrivate', seed))),
    boxPrivate: box.toString('base64url'),
    boxPublic: publicPart(privateKey('boxPrivate', box)).toString('base64url'),
  }
}

/** Undefined where the text is no seed. */
export function signPublicOf(signSeed: string): string | undefined {
  const seed = userSeedBytes(signSeed)
  return seed && userPublicText(publicPart(privateKey('signPrivate', seed)))
}

export function isSignPublic(text: string): boolean {
  return userPublicBytes(text) !== undefined
}

export function isBoxKey(text: string): boolean {
  return keyBytes(text) !== undefined
}

/** SPEC FL2. */
export function signWith(signSeed: string, purpose: SignedPurpose, bytes: Uint8Array): Buffer {
  const seed = userSeedBytes(signSeed)
  if (seed === undefined) throw new TypeError('expected the seed of a machine')
  return sign(null, marked(purpose, bytes), privateKey('signPrivate', seed))
}

/** SPEC FL2. For a login: a text in UTF-8, and so never the beginning of what `signWith` signs. */
export function signChallenge(signSeed: string, challenge: string): Buffer {
  const seed = userSeedBytes(signSeed)
  if (seed === undefined) throw new TypeError('expected the seed of a machine')
  return sign(null, Buffer.from(challenge, 'utf8'), privateKey('signPrivate', seed))
}

/** SPEC FL2. False for whatever is no key or no signature. */
export function isSignedBy(
  signPublic: string,
  purpose: SignedPurpose,
  bytes: Uint8Array,
  signature: Uint8Array,
): boolean {
  const key = verifyingKey(signPublic)
  if (key === undefined || signature.length !== SIGNATURE_BYTES) return false
  return verify(null, marked(purpose, bytes), key, signature)
}

/** SPEC FL170. The same on another thread; the answer comes later, never at once. */
export function whetherSignedBy(
  signPublic: string,
  purpose: SignedPurpose,
  bytes: Uint8Array,
  signature: Uint8Array,
  then: (isSigned: boolean) => void,
): void {
  const key = verifyingKey(signPublic)
  if (key === undefined || signature.length !== SIGNATURE_BYTES) setImmediate(then, false)
  else
    verify(null, marked(purpose, bytes), key, signature, (error, isSigned) =>
      then(error === null && isSigned),
    )
}

/**
 * SPEC FL3. Encrypts for one machine: an X25519 key made for this message alone, HKDF-SHA256,
 * AES-256-GCM. The result says nothing about its sender: the envelope around it is signed.
 */
export function sealFor(boxPublic: string, bytes: Uint8Array): Buffer {
  const receiver = keyBytes(boxPublic)
  if (receiver === undefined) throw new TypeError('expected the public box key of a machine')
  const once = generateKeyPairSync('x25519')
  const oncePublic = publicPart(once.publicKey)
  const { key, iv } = boxSecret(
    once.privateKey,
    publicKey('boxPublic', receiver),
    oncePublic,
    receiver,
  )
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const text = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([oncePublic, cipher.getAuthTag(), text])
}

/** SPEC FL3. Undefined where it is not for this key, or was changed. */
export function openSealed(boxPrivate: string, bytes: Uint8Array): Buffer | undefined {
  const own = keyBytes(boxPrivate)
  if (own === undefined || bytes.length < KEY_BYTES + TAG_BYTES) return undefined
  const oncePublic = Buffer.from(bytes.subarray(0, KEY_BYTES))
  const tag = bytes.subarray(KEY_BYTES, KEY_BYTES + TAG_BYTES)
  try {
    const mine = privateKey('boxPrivate', own)
    const { key, iv } = boxSecret(
      mine,
      publicKey('boxPublic', oncePublic),
      oncePublic,
      publicPart(mine),
    )
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    decipher.setAuthTag(tag)
    const text = decipher.update(bytes.subarray(KEY_BYTES + TAG_BYTES))
    return Buffer.concat([text, decipher.final()])
  } catch {
    // Another key, a changed byte, or a point on the curve that gives no secret.
    return undefined
  }
}

/** Both public keys are part of the secret, so a message cannot be passed on as one to another. */
function boxSecret(own: KeyObject, other: KeyObject, once: Buffer, receiver: Buffer) {
  const shared = diffieHellman({ privateKey: own, publicKey: other })
  const salt = Buffer.concat([once, receiver])
  const secret = hkdfSync('sha256', shared, salt, 'vigil fleet box 1', KEY_BYTES + IV_BYTES)
  return {
    key: Buffer.from(secret, 0, KEY_BYTES),
    // Each message has its own key, so its first bytes need not be random.
    iv: Buffer.from(secret, KEY_BYTES),
  }
}

function marked(purpose: SignedPurpose, bytes: Uint8Array): Buffer {
  return Buffer.concat([SIGNED_MARK, Buffer.from(`${purpose}\0`), bytes])
}

/** Making a key from its text takes half as long as checking a signature. */
const verifying = new Map<string, KeyObject>()
/** More than the members of a fleet. */
const VERIFYING_MAX = 4_096

function verifyingKey(signPublic: string): KeyObject | undefined {
  const known = verifying.get(signPublic)
  if (known) return known
  const bytes = userPublicBytes(signPublic)
  if (bytes === undefined) return undefined
  const key = publicKey('signPublic', bytes)
  if (verifying.size >= VERIFYING_MAX) verifying.clear()
  verifying.set(signPublic, key)
  return key
}

function privateKey(kind: 'signPrivate' | 'boxPrivate', bytes: Buffer): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([DER[kind], bytes]),
    format: 'der',
    type: 'pkcs8',
  })
}

function publicKey(kind: 'signPublic' | 'boxPublic', bytes: Buffer): KeyObject {
  return createPublicKey({ key: Buffer.concat([DER[kind], bytes]), format: 'der', type: 'spki' })
}

function publicPart(key: KeyObject): Buffer {
  const whole = key.type === 'private' ? createPublicKey(key) : key
  return whole.export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES)
}

/** Undefined where the text is not exactly one key: base64url has spare bits, and takes noise. */
function keyBytes(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length === KEY_BYTES && bytes.toString('base64url') === text ? bytes : undefined
}
