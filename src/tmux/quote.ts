/**
 * A text as one word of tmux's command language. Every byte that could have a meaning to its
 * parser, or is not plain ASCII, becomes an octal escape: neither the daemon's locale nor a broken
 * encoding can change it. (`~` is expanded even within double quotes.)
 */
export function tmuxQuoted(text: string | Uint8Array): string {
  let word = ''
  for (const byte of Buffer.from(text)) {
    if (byte === 0) continue
    const special = byte < 0x20 || byte > 0x7e || SPECIAL.has(byte)
    word += special ? `\\${byte.toString(8).padStart(3, '0')}` : String.fromCharCode(byte)
  }
  return `"${word}"`
}

const SPECIAL = new Set(Buffer.from('"\\$~'))

/**
 * The bytes that, given as a window's name, make tmux show the name `shown`. tmux shows names as
 * vis(3) writes them: a backslash is doubled, a tab becomes `\t`, a byte that is not UTF-8 becomes
 * `\377`. A name that is written back as it was read grows each time (seen on 3.3a).
 */
export function nameBytesOf(shown: string): Uint8Array {
  const parts: Uint8Array[] = []
  let rest = shown
  while (rest !== '') {
    const at = rest.indexOf('\\')
    if (at < 0) break
    parts.push(Buffer.from(rest.slice(0, at)))
    const [whole = '', octal, letter = ''] = ESCAPE.exec(rest.slice(at)) ?? ['\\']
    if (octal !== undefined) parts.push(Uint8Array.of(Number.parseInt(octal, 8)))
    else parts.push(Buffer.from(C_STYLE[letter] ?? (whole.slice(1) || '\\')))
    rest = rest.slice(at + whole.length)
  }
  return Buffer.concat([...parts, Buffer.from(rest)])
}

const ESCAPE = /^\\(?:([0-3][0-7]{2})|([abfnrstv])|.)/su

const C_STYLE: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  s: ' ',
  t: '\t',
  v: '\v',
}
