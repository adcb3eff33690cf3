/**
 * SPEC FL172. Runs at once when it is asked, then at most so often; what is asked meanwhile is one
 * more run.
 */
export class Paced {
  readonly #act: () => void
  readonly #apartMs: number
  #timer: NodeJS.Timeout | undefined
  #isDue = false

  constructor(act: () => void, apartMs: number) {
    this.#act = act
    this.#apartMs = apartMs
  }

  ask(): void {
    if (this.#timer) this.#isDue = true
    else this.#run()
  }

  #run(): void {
    this.#isDue = false
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#isDue) this.#run()
    }, this.#apartMs).unref()
    this.#act()
  }
}
