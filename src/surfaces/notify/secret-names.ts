import { HIDDEN, isOrdinary, valueEnd } from './secret-values.ts'

/** Parts of a name that announce a secret: `DB_PASS`, `accessToken`. */
const TELLING = new RegExp(
  `^(?:${[
    '\\w*(?:password|passwd|passphrase|passcode|secret|credential)s?',
    '(?:db|my|pg|root|user|admin|key|store|trust|smtp|ftp|http|https|mysql|redis|sudo|ssh)?pass',
    '(?:db|my|pg|root|user|admin|bind|mysql|sudo|root)?(?:pwd|pw)|passin|passout',
    '\\w*tokens?|\\w*apikeys?|auth|authorization|authtoken|cookies?|sig|signature|jwt|otp|totp|pin',
  ].join('|')})$`,
)

/** `key` alone is a word of every program; with one of these before it, it is not. */
const KEY_OF = new Set(
  [
    'api access secret private encryption signing master ssh gpg license account service shared',
    'deploy admin client app storage webhook hmac aes rsa subscription auth',
  ].flatMap((line) => line.split(' ')),
)

/** Names with these endings hold no secret but describe one, or say where it is. */
const HARMLESS_END = new Set(
  [
    'stdin file files path dir url uri endpoint name names type kind prompt policy manager store',
    'expires expiry ttl length size count limit max min budget used usage format field fields',
    'helper provider required enabled disabled version reset strength rotation test tests spec',
    'ts js py go rs md json yml yaml txt',
  ].flatMap((line) => line.split(' ')),
)

/** These are often words of prose: `auth: fix the login`, `pass: 12`. */
const WEAK = /^(?:auth|authorization|cookies?|sig|signature|pin|pass|tokens)$/

/** Numbers of tokens, as models count them. */
const AMOUNT = /^\d[\d,._]{0,12}[kKmM]?[.,;)\]}]*$/

/** A longer word is not a name. */
const NAME_MAX_CHARS = 120

const WORD = /[\w.-]+/g
const ASSIGNS = /\\{0,4}["'`]?\s{0,8}(?:=>|:=|=(?!=)|:(?![:/]))\s{0,8}/y
const SPACES = /[ \t]{1,8}/y

/** SPEC OS8. The text without the values of names that announce a secret. One pass over it. */
export function withoutNamedSecrets(text: string): string {
  const word = new RegExp(WORD)
  let written = ''
  let from = 0
  for (let match = word.exec(text); match !== null; match = word.exec(text)) {
    const [name] = match
    const parts = telling(name)
    if (!parts) continue
    const at = valueAt(name, match.index + name.length, text)
    if (at === undefined) continue
    const end = valueEnd(text, at)
    if (end === at) continue
    const between = text.slice(match.index + name.length, at)
    if (isNone(text.slice(at, end), { name, parts, between })) continue
    written += text.slice(from, at) + HIDDEN
    from = end
    word.lastIndex = end
  }
  return written + text.slice(from)
}

/** `NAME=VALUE`, `"name": "value"`, `--name value`. */
function valueAt(name: string, end: number, text: string): number | undefined {
  ASSIGNS.lastIndex = end
  if (ASSIGNS.test(text)) return ASSIGNS.lastIndex
  SPACES.lastIndex = end
  const isOption = name.startsWith('-') && SPACES.test(text)
  return isOption && text[SPACES.lastIndex] !== '-' ? SPACES.lastIndex : undefined
}

interface Named {
  readonly name: string
  readonly parts: readonly string[]
  readonly between: string
}

function isNone(value: string, { name, parts, between }: Named): boolean {
  if (value === HIDDEN || isOrdinary(value)) return true
  const last = parts.at(-1) ?? ''
  if (/^(?:OLD)?PWD$/.test(name) && /^["']?[/~.]/.test(value)) return true
  if (last === 'tokens' && AMOUNT.test(value)) return true
  if (!parts.every((part) => WEAK.test(part)) || !/:\s+$/.test(between)) return false
  return /^[A-Za-z]{1,30}[,.;:!?)]?$/.test(value) || (last === 'pass' && AMOUNT.test(value))
}

/** The parts of a name that announces a secret. */
function telling(name: string): readonly string[] | undefined {
  if (name.length > NAME_MAX_CHARS) return undefined
  const parts = partsOf(name)
  if (HARMLESS_END.has(parts.at(-1) ?? '')) return undefined
  const isSo = parts.some((part, i) => TELLING.test(part) || isKey(part, parts[i - 1], name))
  return isSo ? parts : undefined
}

function isKey(part: string, before: string | undefined, name: string): boolean {
  if ((part !== 'key' && part !== 'keys') || before === undefined) return false
  // A variable of a shell: `STRIPE_KEY`, `FERNET_KEY`.
  return KEY_OF.has(before) || /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(name)
}

/** `dbPass`, `db-pass` and `DB_PASS` are `db` and `pass`. */
function partsOf(name: string): string[] {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').split(/[^A-Za-z0-9]+/)
  return words.filter((word) => word !== '').map((word) => word.toLowerCase())
}
