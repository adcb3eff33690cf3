/**
 * NATS writes keys as text: base32 of a prefix, the key and a checksum. The prefix makes a user's
 * public key begin with U and its seed with SU.
 */
const USER = 20 << 3
const SEED = 18 << 3
const KEY_BYTES = 32
const CHECKSUM_BYTES = 2
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function userPublicText(key: Uint8Array): string {
  return checkedText(Buffer.concat([Buffer.of(USER), key]))
}

export function userSeedText(seed: Uint8Array): string {
  // The kind of key follows the five bits that say "seed", so it straddles two bytes.
  return checkedText(Buffer.concat([Buffer.of(SEED | (USER >> 5), (USER & 31) << 3), seed]))
}

/** SPEC FL1. Undefined where the text is no user's public key. */
export function userPublicBytes(text: string): Buffer | undefined {
  const bytes = checkedBytes(text, 1)
  return bytes?.[0] === USER ? bytes.subarray(1) : undefined
}

/** SPEC FL1. Undefined where the text is no user's seed. */
export function userSeedBytes(text: string): Buffer | undefined {
  const bytes = checkedBytes(text, 2)
  const isSeed = bytes?.[0] === (SEED | (USER >> 5)) && bytes[1] === (USER & 31) << 3
  return isSeed ? bytes?.subarray(2) : undefined
}

function checkedText(bytes: Buffer): string {
  const checksum = Buffer.alloc(CHECKSUM_BYTES)
  checksum.writeUInt16LE(crc16(bytes))
  return base32(Buffer.concat([bytes, checksum]))
}

function checkedBytes(text: string, prefixBytes: number): Buffer | undefined {
  const length = prefixBytes + KEY_BYTES + CHECKSUM_BYTES
  if (text.length !== Math.ceil((length * 8) / 5)) return undefined
  const bytes = fromBase32(text, length)
  // Encoded again: the last letter has bits to spare, and one key must have one text.
  if (bytes === undefined || base32(bytes) !== text) return undefined
  const content = bytes.subarray(0, -CHECKSUM_BYTES)
  return bytes.readUInt16LE(content.length) === crc16(content) ? content : undefined
}

/** CRC-16/XMODEM, as NATS uses it. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff
    }
  }
  return crc
}

function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 0
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += ALPHABET[(held >> bits) & 31]
    }
    held &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + ALPHABET[(held << (5 - bits)) & 31]
}

function fromBase32(text: string, length: number): Buffer | undefined {
  const bytes = Buffer.alloc(length)
  let at = 0
  let bits = 0
  let held = 0
  for (const letter of text) {
    const value = ALPHABET.indexOf(letter)
    if (value === -1) return undefined
    held = (held << 5) | value
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes[at++] = held >> bits
    held &= (1 << bits) - 1
  }
  return bytes
}
