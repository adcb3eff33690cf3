import { Writable } from 'node:stream'
import type { Key } from 'ink'
import type { ReactNode } from 'react'
import type { Palette } from './palette.ts'
import type { Strip, StyledText } from './picture.ts'

export interface InkOutput {
  /** The strips as text with colours, in the same order. */
  paint(strips: readonly Strip[]): readonly string[]
  unmount(): void
}

export type OnInput = (input: string, key: Partial<Key>) => void

interface InkOptions {
  readonly stdin: NodeJS.ReadStream
  /** Undefined for no colours. */
  readonly palette: Palette | undefined
  readonly onInput: OnInput
}

/**
 * Ink renders the strips that have changed and reads the keys; the screen places the strips. For a
 * whole terminal of 200 by 60 Ink takes 27 ms a frame, and if the output is as high as the terminal
 * it clears all of it, scrollback included, before each frame.
 */
export async function openInk({ stdin, palette, onInput }: InkOptions): Promise<InkOutput> {
  const { ink, react } = await loaded()
  const { createElement } = react
  let painted = ''
  const stream = new InkStream((text) => {
    painted = text
  })
  const Keys = (): ReactNode => {
    ink.useInput(onInput)
    return null
  }
  const keys = createElement(Keys, { key: 'keys' })
  const span = (look: StyledText, at: number) =>
    createElement(ink.Text, { key: at, ...(palette ? propsOf(look, palette) : {}) }, look.text)
  const strip = ({ row, column, line }: Strip) => {
    // An empty text would have no height.
    const words = line.length === 0 ? ' ' : line.map(span)
    return createElement(ink.Text, { key: `${row}:${column}`, wrap: 'truncate' }, words)
  }
  let frame = 0
  const page = (strips: readonly Strip[]) => {
    frame += 1
    const all = createElement(
      ink.Box,
      { key: frame, flexDirection: 'column' },
      ...strips.map(strip),
    )
    return createElement(react.Fragment, null, keys, all)
  }
  // Ink's test mode: every frame whole and at once, to a stream of our own.
  const options = { stdin, debug: true, exitOnCtrlC: false, patchConsole: false }
  const instance = ink.render(page([]), {
    ...options,
    stdout: stream as unknown as NodeJS.WriteStream,
  })
  return {
    paint: (strips) => {
      // Ink makes an object for every column.
      stream.columns = Math.max(1, ...strips.map(({ width }) => width))
      instance.rerender(page(strips))
      return painted.split('\n')
    },
    unmount: () => instance.unmount(),
  }
}

function propsOf({ colour, bold, dim, selected }: StyledText, palette: Palette) {
  return {
    ...(colour && { color: palette.colours[colour] }),
    ...(selected && { backgroundColor: palette.selected }),
    ...(bold && { bold }),
    ...(dim && { dimColor: dim }),
  }
}

/** The stream that Ink writes to. */
class InkStream extends Writable {
  readonly #onFrame: (text: string) => void
  columns = 1

  constructor(onFrame: (text: string) => void) {
    super({ decodeStrings: false })
    this.#onFrame = onFrame
  }

  override _write(frame: string, _: string, done: () => void): void {
    this.#onFrame(frame)
    done()
  }
}

/**
 * Three libraries read the environment once, when they are loaded: React whether to run in
 * development mode, which costs several times as much; Ink whether it runs in CI, where it draws
 * nothing; and the colour library whether to use colours, which vigil decides. Agents that are
 * started from here get the original environment.
 */
async function loaded() {
  const before = { ...process.env }
  process.env.NODE_ENV ??= 'production'
  process.env.CI = 'false'
  process.env.FORCE_COLOR = /256|direct/.test(before.TERM ?? '') || before.COLORTERM ? '2' : '1'
  try {
    const [ink, react] = await Promise.all([import('ink'), import('react')])
    return { ink, react }
  } finally {
    for (const name of ['NODE_ENV', 'CI', 'FORCE_COLOR']) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  }
}
