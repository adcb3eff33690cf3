import type { Colour } from '../../view/session.ts'

const CODES: Readonly<Record<Colour | 'bold' | 'dim', string>> = {
  red: '31',
  yellow: '33',
  green: '32',
  blue: '34',
  magenta: '35',
  grey: '90',
  bold: '1',
  dim: '2',
}

export type Paint = (colour: keyof typeof CODES, text: string) => string

/** Turns a code such as `31` into the sequence that makes letters red. */
export type ColourSequence = (code: string) => string

export const ansi: ColourSequence = (code) => `\u001b[${code}m`

export function paintFor(
  out: { isTTY?: boolean },
  sequence: ColourSequence = ansi,
  env: NodeJS.ProcessEnv = process.env,
): Paint {
  return wantsColour(out.isTTY === true, env)
    ? (colour, text) => `${sequence(CODES[colour])}${text}${sequence('0')}`
    : (_, text) => text
}

/**
 * SPEC CM25. Colours on a terminal unless the user asked for none. FORCE_COLOR overrides NO_COLOR,
 * as in Node: it is set for one program, the other for a whole machine.
 */
export function wantsColour(isTerminal: boolean, env: NodeJS.ProcessEnv = process.env): boolean {
  if (env.FORCE_COLOR) return !['0', 'false'].includes(env.FORCE_COLOR)
  return isTerminal && !env.NO_COLOR && env.TERM !== 'dumb'
}
