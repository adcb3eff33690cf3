/** Within single quotes a shell reads every byte as it stands, but for the quote itself. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}

/** One word for a shell, as it is where it needs no quotes. */
export function shellWord(path: string): string {
  return /^[A-Za-z0-9_./@%+,:=-]+$/.test(path) ? path : shellQuoted(path)
}
