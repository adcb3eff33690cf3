import type { Message } from './message.ts'

export type NotifySequence = 'osc9' | 'osc777' | 'osc99' | 'bell'

const ESCAPE = '\u001b'
const END = `${ESCAPE}\\`
const BELL = '\u0007'

/** The notification sequence of a terminal, by its name. */
const SPEAKS: readonly (readonly [RegExp, NotifySequence])[] = [
  [/kitty/i, 'osc99'],
  [/wezterm|ghostty|foot|rxvt|vte|gnome|contour|warp/i, 'osc777'],
  [/iterm/i, 'osc9'],
]

/**
 * An unknown terminal gets a bell, because it might print a sequence that it does not understand.
 */
export function sequenceOf(terminal: string): NotifySequence {
  return SPEAKS.find(([name]) => name.test(terminal))?.[1] ?? 'bell'
}

/** SPEC NO14. The bytes that show a message in a terminal. */
export function written(sequence: NotifySequence, { id, title, body }: Message): string {
  switch (sequence) {
    case 'osc99': {
      const part = (meta: string, text: string) =>
        `${ESCAPE}]99;i=${id}:e=1:${meta};${base64(text)}${END}`
      return `${part('d=0:p=title', title)}${part('d=1:p=body', body)}`
    }
    case 'osc777':
      return `${ESCAPE}]777;notify;${field(title)};${field(body)}${END}`
    case 'osc9':
      // A number and a semicolon would be another command.
      return `${ESCAPE}]9;${field(title).replace(/^\d/, ' $&')}: ${field(body)}${END}`
    case 'bell':
      return BELL
  }
}

/** The bytes that retract it, if the terminal can. */
export function retraction(sequence: NotifySequence, { id }: Message): string | undefined {
  return sequence === 'osc99' ? `${ESCAPE}]99;i=${id}:p=close;${END}` : undefined
}

/**
 * Semicolons separate the fields; control characters were removed before, and are removed here
 * again.
 */
function field(text: string): string {
  return text.replaceAll(';', ',').replaceAll(/\p{Cc}/gu, ' ')
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64')
}
