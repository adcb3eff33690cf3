/**
 * The client runs a command as a script of a shell: `/bin/bash -lc 'npm test'`. Gives shell and
 * script; none where the text is anything else than three words.
 */
export function scriptIn(command: string): ShellScript | undefined {
  const words = wordsIn(command)
  const [shell, option, script, ...more] = words ?? []
  if (shell === undefined || script === undefined || more.length > 0) return undefined
  if (!/(^|\/)(ba|z|da)?sh$/.test(shell) || !/^-l?c$/.test(option ?? '')) return undefined
  return { shell: `${shell} ${option}`, script }
}

interface ShellScript {
  readonly shell: string
  readonly script: string
}

/** Quotes only: a character with another meaning to a shell gives none. */
const PIECE = /'([^']*)'|"((?:[^"\\$`]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\$`|&;<>()*?[\]#~=%!{}]+)/y

function wordsIn(command: string): readonly string[] | undefined {
  const words: string[] = []
  let isOpen = false
  PIECE.lastIndex = 0
  for (let at = 0; at < command.length; ) {
    if (command[at] === ' ') {
      isOpen = false
      at += 1
      continue
    }
    PIECE.lastIndex = at
    const piece = PIECE.exec(command)
    if (!piece) return undefined
    const [, single, double, escaped, bare] = piece
    const text = single ?? double?.replaceAll(/\\([\\"$`])/g, '$1') ?? escaped ?? bare ?? ''
    words.push(isOpen ? `${words.pop()}${text}` : text)
    isOpen = true
    at = PIECE.lastIndex
  }
  return words
}
