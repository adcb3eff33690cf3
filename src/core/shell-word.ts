/** Within single quotes a shell reads every byte literally, except the quote itself. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

/** One word for a shell, without quotes where it needs none. */
export function shellWord(path: string): string {
  return /^[A-Za-z0-9_./@%+,:=-]+$/.test(path) ? path : shellQuoted(path)
}

/** Nothing in it has a meaning to a shell, and it is no option. */
export function isPlainWord(word: string): boolean {
  return /^[\w:%.@][\w:%.@-]*$/.test(word)
}
