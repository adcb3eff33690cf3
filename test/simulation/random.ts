/** A small seeded generator (sfc32): the same seed gives the same run on every machine. */
export class Random {
  #a: number
  #b: number
  #c: number
  #d = 1

  constructor(seed: number) {
    this.#a = 0x9e3779b9 ^ seed
    this.#b = 0x243f6a88 ^ Math.imul(seed, 0x85ebca6b)
    this.#c = 0xb7e15162
    for (let i = 0; i < 12; i++) this.next()
  }

  /** From 0 up to 1. */
  next(): number {
    const t = (this.#a + this.#b + this.#d) | 0
    this.#d = (this.#d + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + t
    return (t >>> 0) / 0x1_0000_0000
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low)
  }

  /** Between low and high, and as often near either: tools take milliseconds or minutes. */
  spread(low: number, high: number): number {
    return Math.exp(this.between(Math.log(low), Math.log(high)))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.next() * choices.length)] as T
  }
}
