import { PassThrough, Writable } from 'node:stream'
import { View, type ViewOptions } from '../../src/surfaces/tui/view.ts'

/** The live view on a terminal that only counts. */
export class CountingTerminal {
  readonly view: View
  readonly #keys = new PassThrough()
  #bytes = 0
  #frames = 0
  #onFrame: (text: string) => void = () => {}

  constructor(client: ViewOptions['client'], columns: number, rows: number) {
    const out = new Writable({
      decodeStrings: false,
      write: (text: string, _, done) => {
        this.#bytes += text.length
        this.#frames += 1
        this.#onFrame(text)
        done()
      },
    })
    const stdout = Object.assign(out, { columns, rows, isTTY: true })
    const stdin = Object.assign(this.#keys, {
      isTTY: true,
      setRawMode: () => {},
      ref: () => {},
      unref: () => {},
    })
    this.view = new View({
      client,
      stdin: stdin as unknown as NodeJS.ReadStream,
      stdout: stdout as unknown as NodeJS.WriteStream,
      colours: true,
      jump: async () => undefined,
    })
  }

  write(keys: string): void {
    this.#keys.write(keys)
  }

  /** Resolves when a frame has this text. */
  drawn(wanted: string): Promise<void> {
    return new Promise((resolve) => {
      this.#onFrame = (text) => {
        if (!text.includes(wanted)) return
        this.#onFrame = () => {}
        resolve()
      }
    })
  }

  async measured(forS: number, work: () => Promise<unknown>) {
    const [bytes, frames, cpu] = [this.#bytes, this.#frames, process.cpuUsage()]
    await work()
    const { user, system } = process.cpuUsage(cpu)
    return {
      cpuPercent: (user + system) / 1000 / (forS * 10),
      framesPerSecond: (this.#frames - frames) / forS,
      bytesPerSecond: (this.#bytes - bytes) / forS,
    }
  }

  /** From the key to the next frame, even if that frame was due anyway: it shows the key, too. */
  pressed(key: string): Promise<number> {
    const begin = performance.now()
    return new Promise((resolve) => {
      this.#onFrame = () => {
        this.#onFrame = () => {}
        resolve(performance.now() - begin)
      }
      this.write(key)
    })
  }
}
