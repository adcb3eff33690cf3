import { withoutNamedSecrets } from './secret-names.ts'
import { withoutOptionSecrets } from './secret-options.ts'
import { HIDDEN } from './secret-values.ts'

const PEM = '[A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?'

/** Kinds that are recognised by their prefix; replaceAll needs `g`. */
const KNOWN: readonly RegExp[] = [
  new RegExp(`-----BEGIN ${PEM}-----.*?(?:-----END ${PEM}-----|$)`, 'gs'),
  /\b(?:glpat|glrt|dop_v1|shpat|shpss|gh[opsur]|github_pat)[-_][\w-]{8,}/g,
  /\b(?:dckr_pat|lin_api|figd|whsec|rubygems|sgp)[-_][\w-]{8,}/g,
  /\b(?:sk|pk|rk)_(?:live|test)_\w{8,}|\bpypi-[\w-]{16,}|\bhv[sb]\.[\w-]{16,}|\bGOCSPX-[\w-]{8,}/g,
  /\bxox[a-z]-[\w-]{8,}|\bxapp-[\w-]{8,}|\bAGE-SECRET-KEY-\w{8,}|\b\d{8,10}:[\w-]{35}/g,
  /\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{12,}/g,
  /\bAIza[\w-]{20,}|\bya29\.[\w.-]{8,}/g,
  /(?<![\w-])eyJ[\w-]{6,}(?:\.[\w-]*){1,4}/g,
  /\bSG\.[\w-]{8,}\.[\w-]{8,}/g,
  /hooks\.slack\.com\/[^\s'"<>]+/gi,
  /discord(?:app)?\.com\/api\/webhooks\/[^\s'"<>]+/gi,
]

/** Short prefixes that words have, too: `npm-check-updates`, `sk-learn`. */
const SHORT = /(?<![\w-])(?:sk|pk|rk|ak|hf|pat|npm)[-_]([\w-]{8,})/g

/** The secret of a quoted header ends at the quote; without quotes it ends with its words. */
const QUOTED_HEADER = /(["'])((?:proxy-)?authorization|(?:set-)?cookie)(\s{0,4}:\s{0,4})/gi
const COOKIES =
  /\b((?:set-)?cookie\s{0,4}:\s{0,4})(?:[\w.-]{1,100}=[^\s;"'`]*(?:;[ \t]{0,8})?){1,200}/gi
const SCHEME = /\b((?:bearer|basic|digest|token|apikey|negotiate)\s{1,8})([^\s"'`,;]{6,})/gi
const ACCOUNT = /(:\/\/)([^\s/'"`<>]{1,500}@)/g

/**
 * SPEC NO12, OS8, OS9. The text without what looks like a secret: keys with known prefixes, values
 * of names that announce a secret, secrets in options of programs, accounts in addresses, and long
 * random words. It hides rather too much than too little: the text only tells the user which
 * session calls. Each step makes one pass, so the time is linear.
 */
export function withoutSecrets(text: string): string {
  let hidden = text
  for (const kind of KNOWN) hidden = hidden.replaceAll(kind, HIDDEN)
  hidden = hidden.replaceAll(SHORT, (word, rest: string) => (isKeyLike(rest) ? HIDDEN : word))
  hidden = withoutQuotedHeaders(hidden).replaceAll(COOKIES, `$1${HIDDEN}`)
  hidden = hidden.replaceAll(SCHEME, (all, scheme: string, value: string) =>
    isMade(value) ? `${scheme}${HIDDEN}` : all,
  )
  hidden = withoutOptionSecrets(withoutNamedSecrets(hidden))
  hidden = hidden.replaceAll(ACCOUNT, (all, slashes: string, account: string) =>
    account === 'git@' ? all : `${slashes}${HIDDEN}@`,
  )
  return hidden.replaceAll(/[\w+/=~-]{20,}/g, (word) => (isRandom(word) ? HIDDEN : word))
}

function isKeyLike(rest: string): boolean {
  return /\d/.test(rest) || (rest.length >= 16 && /[a-z]/.test(rest) && /[A-Z]/.test(rest))
}

/** `Bearer of news` is prose; generated values contain digits, signs or capitals. */
function isMade(value: string): boolean {
  return value.length > 200 || /\d|[a-z][A-Z]|[+/=~]/.test(value)
}

/** Searches quotes from the end of the last header: one pass over the text. */
function withoutQuotedHeaders(text: string): string {
  const header = new RegExp(QUOTED_HEADER)
  let written = ''
  let from = 0
  for (let match = header.exec(text); match !== null; match = header.exec(text)) {
    const [all, quote = ''] = match
    const at = match.index + all.length
    const close = text.indexOf(quote, at)
    const end = close < 0 ? text.length : close
    written += text.slice(from, at) + (end > at ? HIDDEN : '')
    from = end
    header.lastIndex = Math.max(at, end)
  }
  return written + text.slice(from)
}

const RANDOM_MIN = 20

/** Generated: long, digits among letters, and not a path of words. */
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

/** A path consists of words; capitals and digits in the middle of letters are not words. */
function isBase64(word: string): boolean {
  if (/^[~.]?\//.test(word) || word.length < 32 || !/\d/.test(word)) return false
  return /[a-z][A-Z]{2,}[a-z]|[A-Z]{2}\d|\d[A-Z]{2}|[a-z]\d[A-Z]/.test(word)
}
