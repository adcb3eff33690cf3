import { createHash } from 'node:crypto'

const SPAN = 1n << 128n
const DIGEST_HEX_CHARS = 32

/**
 * SPEC FL30. A digest of pairs of a key and a `rev`, whatever their order: the sum of their hashes.
 * A sum can also be taken back, so a change costs one hash and not one for each row.
 */
export class RowDigest {
  #count = 0
  #sum = 0n

  add(key: string, rev: number): void {
    this.#count += 1
    this.#sum = (this.#sum + hashOf(key, rev)) % SPAN
  }

  remove(key: string, rev: number): void {
    this.#count -= 1
    this.#sum = (this.#sum + SPAN - hashOf(key, rev)) % SPAN
  }

  get count(): number {
    return this.#count
  }

  get text(): string {
    return this.#sum.toString(16).padStart(DIGEST_HEX_CHARS, '0')
  }
}

function hashOf(key: string, rev: number): bigint {
  const hex = createHash('sha256').update(`${key} ${rev}`).digest('hex')
  return BigInt(`0x${hex.slice(0, DIGEST_HEX_CHARS)}`)
}
