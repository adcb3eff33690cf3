import type { Colour } from '../../view/session.ts'

/** Colours by Ink's names. */
export interface Palette {
  readonly colours: Readonly<Record<Colour, string>>
  /** The background of the selected row. */
  readonly selected: string
}

/** On a dark background the terminal's own colours are readable, and the user has chosen them. */
const DARK: Palette = {
  colours: {
    red: 'red',
    yellow: 'yellow',
    green: 'green',
    blue: 'blueBright',
    magenta: 'magenta',
    grey: 'grey',
  },
  selected: 'ansi256(237)',
}

/** On a light background yellow and bright colours are not readable. */
const LIGHT: Palette = {
  colours: {
    red: 'ansi256(160)',
    yellow: 'ansi256(130)',
    green: 'ansi256(28)',
    blue: 'ansi256(26)',
    magenta: 'ansi256(90)',
    grey: 'ansi256(243)',
  },
  selected: 'ansi256(254)',
}

/** A terminal that answers does so within a few milliseconds, over SSH within tens of them. */
const ANSWER_MAX_MS = 150

/**
 * Queries the background, then the device attributes, which every terminal answers: if that answer
 * comes alone, the wait ends.
 */
const QUESTION = '\u001b]11;?\u001b\\\u001b[c'

interface Terminal {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: Pick<NodeJS.WriteStream, 'write'>
}

/**
 * SPEC TU27. Queries the terminal's background. Keys that the user types meanwhile are put back for
 * the next reader.
 */
export async function paletteOf({ stdin, stdout }: Terminal): Promise<Palette> {
  if (!stdin.isTTY || typeof stdin.setRawMode !== 'function') return DARK
  stdin.setRawMode(true)
  const { promise, resolve } = Promise.withResolvers<void>()
  let said = ''
  const onReadable = () => {
    for (let part = stdin.read(); part !== null; part = stdin.read()) said += String(part)
    if (ATTRIBUTES.test(said)) resolve()
  }
  stdin.on('readable', onReadable)
  const timer = setTimeout(resolve, ANSWER_MAX_MS)
  stdout.write(QUESTION)
  await promise
  clearTimeout(timer)
  stdin.off('readable', onReadable)
  const typed = said.replace(BACKGROUND, '').replace(ATTRIBUTES, '')
  if (typed !== '') stdin.unshift(Buffer.from(typed))
  return isLight(said) ? LIGHT : DARK
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals answer
const BACKGROUND = /\u001b\]11;rgb:([0-9a-f]+)\/([0-9a-f]+)\/([0-9a-f]+)(?:\u001b\\|\u0007)/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals answer
const ATTRIBUTES = /\u001b\[\?[\d;]*c/

/** By perceived brightness. */
function isLight(said: string): boolean {
  const [, ...parts] = BACKGROUND.exec(said) ?? []
  const [red = 0, green = 0, blue = 0] = parts.map(
    (part) => Number.parseInt(part, 16) / (16 ** part.length - 1),
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5
}
