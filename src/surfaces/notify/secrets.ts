const HIDDEN = '[hidden]'

/** Kinds that are known by how they begin; `g` is needed by replaceAll. */
const KNOWN: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gs,
  /\b(?:sk|pk|rk|ak|hf|pat|npm|glpat|dop_v1|shpat|gh[opsur]|github_pat)[-_][\w-]{8,}/g,
  /\bxox[a-z]-[\w-]{8,}|\bxapp-[\w-]{8,}/g,
  /\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{12,}/g,
  /\bAIza[\w-]{20,}|\bya29\.[\w.-]{8,}/g,
  /\beyJ[\w-]{6,}(?:\.[\w-]*){1,4}/g,
  /\bSG\.[\w-]{8,}\.[\w-]{8,}/g,
  /hooks\.slack\.com\/[^\s'"<>]+/gi,
  /discord(?:app)?\.com\/api\/webhooks\/[^\s'"<>]+/gi,
]

/** A name that says what stands behind it, and the value: `API_KEY=…`, `"password": "…"`. */
const NAME = '[\\w.-]*(?:passw(?:or)?d|passwd|pwd|secret|token|api[_-]?key|credential|auth)[\\w.-]*'
const VALUE = '(?:"[^"]*"?|\'[^\']*\'?|[^\\s"\']+)'
const ASSIGNED = new RegExp(`(${NAME}["']?\\s*(?::|=)\\s*)(?!\\[hidden\\])${VALUE}`, 'gi')
const OPTION = new RegExp(`(--?${NAME}\\s+)(?!\\[hidden\\])${VALUE}`, 'gi')
const PRIVATE_NAME = /(\b\w*PRIVATE_KEY\w*\s*(?::|=)\s*)(?!\[hidden\])\S+/gi
const BEARER = /\b((?:Bearer|Basic|Token)\s+)(?!\[hidden\])[\w.+/=~-]{6,}/gi
const ACCOUNT = /\b([a-z][a-z0-9+.-]*:\/\/)(?!\[hidden\])[^\s/@'"]+@/gi
const CURL_USER = /(\s-u\s*|\s--user[\s=])(?!\[hidden\])\S+/g

/**
 * SPEC NO12. The same text without what looks like a secret: keys by their known beginnings, what
 * is assigned to a telling name, accounts in addresses, and anything long that no person would
 * write. Rather too much than too little: it is read to know who calls, not to be copied from.
 */
export function withoutSecrets(text: string): string {
  let hidden = text
  for (const kind of KNOWN) hidden = hidden.replaceAll(kind, HIDDEN)
  for (const named of [BEARER, ASSIGNED, OPTION, PRIVATE_NAME, CURL_USER])
    hidden = hidden.replaceAll(named, `$1${HIDDEN}`)
  hidden = hidden.replaceAll(ACCOUNT, `$1${HIDDEN}@`)
  return hidden.replaceAll(/[\w+/=~-]{20,}/g, (word) => (isRandom(word) ? HIDDEN : word))
}

const RANDOM_MIN = 20

/** Made by a machine: long, digits among letters, and of no path whose parts are words. */
function isRandom(word: string): boolean {
  const parts = word.split('/')
  if (parts.length > 1 && parts.every((part) => part.length < RANDOM_MIN)) {
    return isBase64(word)
  }
  return parts.some((part) => part.length >= RANDOM_MIN && isMixed(part))
}

/** Words and numbers joined by hyphens are names; digits in the middle of letters are not. */
function isMixed(part: string): boolean {
  const pieces = part.split(/[-_=~+]/)
  const odd = pieces.filter((piece) => /\d/.test(piece) && /[a-z]/i.test(piece))
  const letters = odd.join('').length
  return letters >= 12 || (/^[0-9a-f-]{32,}$/i.test(part) && /\d/.test(part))
}

/** A path is written in words; capitals and digits in the middle of letters are nobody's words. */
function isBase64(word: string): boolean {
  if (/^[~.]?\//.test(word) || word.length < 32 || !/\d/.test(word)) return false
  return /[a-z][A-Z]{2,}[a-z]|[A-Z]{2,}\d|\d[A-Z]{2,}|[a-z]\d[A-Z]/.test(word)
}
