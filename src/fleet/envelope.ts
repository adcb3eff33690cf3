import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import { parseJson } from '../core/json.ts'
import { isMachineId } from '../protocol/address.ts'
import { FleetError } from './errors.ts'
import { isSignedBy, SIGNATURE_BYTES, signWith, whetherSignedBy } from './keys.ts'
import { senderKey } from './sender-key.ts'

/**
 * Layout: length of the head (2 bytes), the head (JSON), the payload, the signature (64 bytes).
 * An encrypted payload is its first bytes (12), its tag (16) and the ciphertext.
 */

/** Raised when an older vigil could no longer read it; new fields of the head do not raise it. */
const ENVELOPE_VERSION = 1
/** A bucket of 1 GB then holds 130,000 rows; longer texts are fetched from their owner. */
export const ROW_MAX_BYTES = 8_192
/** NATS takes 1 MB in a message if its owner set nothing else; the rest is for its own headers. */
export const ENVELOPE_MAX_BYTES = 900 * 1_024
/** The longest head of a row has 310 bytes; signature, tag and lengths have 94. */
export const ROW_PLAIN_MAX_BYTES = ROW_MAX_BYTES - 512
const HEAD_MAX_BYTES = 1_024
/** A roster of the most members has 1.1 MB, and 0.62 to 0.77 MB after it is compressed. */
const ROSTER_PLAIN_MAX_BYTES = 4 * 1_024 * 1_024
const LENGTH_BYTES = 2
const IV_BYTES = 12
const TAG_BYTES = 16

const ENVELOPE_KINDS = ['row', 'beat', 'call', 'reply', 'roster', 'lookers'] as const
export type EnvelopeKind = (typeof ENVELOPE_KINDS)[number]

const envelopeHead = z.object({
  v: z.literal(ENVELOPE_VERSION),
  fleet: z.string().regex(/^[0-9a-f]{16}$/),
  machine: z.string().refine(isMachineId),
  kind: z.string().max(16),
  about: z.string().max(256),
  rev: z.int().min(0),
  at: z.number(),
  key: z.union([z.int().min(0), z.string().max(64), z.null()]),
})

/** What the server can read. All of it is signed. */
export interface EnvelopeHead {
  readonly fleet: string
  /** The sender. */
  readonly machine: string
  readonly kind: EnvelopeKind
  /** The key in the bucket, the machine that is called, or the call that is replied to. */
  readonly about: string
  readonly rev: number
  /** The sender's clock. */
  readonly at: number
  /** Epoch of the group key, or id of a key for lookers; null: not encrypted, as the roster. */
  readonly key: number | string | null
}

export type EnvelopeFault =
  | 'malformed'
  | 'version'
  | 'fleet'
  | 'kind'
  | 'about'
  | 'stranger'
  | 'signature'
  | 'key'
  | 'payload'

export type OpenedEnvelope =
  | { readonly ok: true; readonly head: EnvelopeHead; readonly payload: unknown }
  | { readonly ok: false; readonly why: EnvelopeFault }

export interface EnvelopeExpectation {
  readonly fleet: string
  readonly kind: EnvelopeKind
  readonly about: string
  /** The only sender that will do: of a reply, the machine that was called. */
  readonly machine?: string | undefined
  signKeyOf(machine: string): string | undefined
  groupKeyOf(key: number | string): Uint8Array | undefined
}

/** SPEC FL4, FL6. Only a roster needs no group key. Throws a `FleetError` if it is too large. */
export function sealEnvelope(
  head: EnvelopeHead,
  payload: unknown,
  signSeed: string,
  groupKey?: Uint8Array,
): Buffer {
  const headBytes = Buffer.from(JSON.stringify({ v: ENVELOPE_VERSION, ...head }))
  if (headBytes.length > HEAD_MAX_BYTES) throw new FleetError('The head of a message is too long.')
  const plain = Buffer.from(JSON.stringify(payload))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt16BE(headBytes.length)
  const content = Buffer.concat([length, headBytes, contentOf(head, headBytes, plain, groupKey)])
  const max = maxBytesOf(head.kind)
  if (content.length + SIGNATURE_BYTES > max) {
    throw new FleetError(`A message to the fleet (${head.kind}) is larger than ${max} bytes.`)
  }
  return Buffer.concat([content, signWith(signSeed, 'envelope', content)])
}

function contentOf(head: EnvelopeHead, aad: Buffer, plain: Buffer, groupKey?: Uint8Array): Buffer {
  if (isPublic(head)) return deflateRawSync(plain)
  if (groupKey === undefined || head.key === null) throw new TypeError('expected a group key')
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', senderKey(groupKey, head.machine), iv).setAAD(aad)
  const text = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text])
}

/** SPEC FL4–FL7. Never throws, whatever the bytes are. */
export function openEnvelope(bytes: Uint8Array, expected: EnvelopeExpectation): OpenedEnvelope {
  const read = readEnvelope(bytes, expected)
  if (!read.ok) return read
  const { signKey, parts } = read
  const isSigned = isSignedBy(signKey, 'envelope', parts.signed, parts.signature)
  return isSigned ? opened(read, expected) : refused('signature')
}

/**
 * SPEC FL170. The same, with the signature checked on another thread. What is given on opens the
 * envelope when its turn has come, by the members of that time.
 */
export function checkEnvelope(
  bytes: Uint8Array,
  expected: EnvelopeExpectation,
  then: (open: () => OpenedEnvelope) => void,
): void {
  const read = readEnvelope(bytes, expected)
  if (!read.ok) {
    then(() => openEnvelope(bytes, expected))
    return
  }
  const { signKey, head, parts } = read
  whetherSignedBy(signKey, 'envelope', parts.signed, parts.signature, (isSigned) =>
    then(() => {
      // Another roster was read meanwhile, and its machine has another key there, or none.
      if (expected.signKeyOf(head.machine) !== signKey) return openEnvelope(bytes, expected)
      return isSigned ? opened(read, expected) : refused('signature')
    }),
  )
}

interface ReadEnvelope {
  readonly ok: true
  readonly head: EnvelopeHead
  readonly parts: EnvelopeParts
  /** Of the sender; whether it signed the envelope is not known yet. */
  readonly signKey: string
}

type Refused = Extract<OpenedEnvelope, { ok: false }>

function refused(why: EnvelopeFault): Refused {
  return { ok: false, why }
}

function readEnvelope(bytes: Uint8Array, expected: EnvelopeExpectation): ReadEnvelope | Refused {
  const parts = partsOf(bytes, expected.kind)
  if (parts === undefined) return refused('malformed')
  const raw = parseJson(parts.head.toString('utf8'))
  const version = (raw as { v?: unknown } | null | undefined)?.v
  if (typeof version === 'number' && version !== ENVELOPE_VERSION) return refused('version')
  const parsed = envelopeHead.safeParse(raw)
  if (!parsed.success) return refused('malformed')
  const { v: _, ...fields } = parsed.data
  if (fields.fleet !== expected.fleet) return refused('fleet')
  if (fields.kind !== expected.kind) return refused('kind')
  const head = { ...fields, kind: expected.kind }
  if (head.about !== expected.about || !isOwnKey(head)) return refused('about')
  if (expected.machine !== undefined && head.machine !== expected.machine)
    return refused('stranger')
  const signKey = expected.signKeyOf(head.machine)
  return signKey === undefined ? refused('stranger') : { ok: true, head, parts, signKey }
}

/** After its signature was checked. */
function opened({ head, parts }: ReadEnvelope, expected: EnvelopeExpectation): OpenedEnvelope {
  const plain = plainOf(head, parts, expected)
  if (plain === undefined) return refused('key')
  const payload = parseJson(plain.toString('utf8'))
  return payload === undefined ? refused('payload') : { ok: true, head, payload }
}

interface EnvelopeParts {
  readonly head: Buffer
  readonly content: Buffer
  readonly signed: Buffer
  readonly signature: Buffer
}

function partsOf(bytes: Uint8Array, kind: EnvelopeKind): EnvelopeParts | undefined {
  if (bytes.length > maxBytesOf(kind) || bytes.length < LENGTH_BYTES + SIGNATURE_BYTES) return
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const signed = all.subarray(0, -SIGNATURE_BYTES)
  const headEnd = LENGTH_BYTES + signed.readUInt16BE()
  if (headEnd > signed.length || headEnd > LENGTH_BYTES + HEAD_MAX_BYTES) return
  return {
    head: signed.subarray(LENGTH_BYTES, headEnd),
    content: signed.subarray(headEnd),
    signed,
    signature: all.subarray(-SIGNATURE_BYTES),
  }
}

/** SPEC FL5. A member may sign only what is its own in the bucket. */
function isOwnKey({ kind, about, machine }: EnvelopeHead): boolean {
  if (kind === 'roster') return about === 'roster'
  if (kind === 'row') return about.startsWith(`row.${machine}.`)
  return kind === 'call' || kind === 'reply' || about === `${kind}.${machine}`
}

function plainOf(
  head: EnvelopeHead,
  { head: aad, content }: EnvelopeParts,
  { groupKeyOf }: EnvelopeExpectation,
): Buffer | undefined {
  try {
    if (isPublic(head)) return inflateRawSync(content, { maxOutputLength: ROSTER_PLAIN_MAX_BYTES })
    const groupKey = head.key === null ? undefined : groupKeyOf(head.key)
    if (groupKey === undefined || content.length < IV_BYTES + TAG_BYTES) return undefined
    const iv = content.subarray(0, IV_BYTES)
    const options = { authTagLength: TAG_BYTES }
    const key = senderKey(groupKey, head.machine)
    const decipher = createDecipheriv('aes-256-gcm', key, iv, options).setAAD(aad)
    decipher.setAuthTag(content.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    const text = decipher.update(content.subarray(IV_BYTES + TAG_BYTES))
    return Buffer.concat([text, decipher.final()])
  } catch {
    return undefined
  }
}

/** Only a roster goes unencrypted: a new member reads it before it has a group key. */
function isPublic({ kind, key }: EnvelopeHead): boolean {
  return kind === 'roster' && key === null
}

function maxBytesOf(kind: EnvelopeKind): number {
  return kind === 'row' ? ROW_MAX_BYTES : ENVELOPE_MAX_BYTES
}
