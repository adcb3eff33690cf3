import { HIDDEN, isOrdinary, valueEnd } from './secret-values.ts'

/** How a program takes a secret by an option whose name does not announce it. */
interface Given {
  /** The secret is the next word. */
  readonly next?: RegExp
  /** The secret is the rest of the same word, after this match. */
  readonly within?: RegExp
}

const P: Given = { next: /^-p$/, within: /^-p(?=[^=-])/ }
const CAPITAL_P: Given = { next: /^-P$/, within: /^-P(?=[^=-])/ }
const WITHIN_P: Given = { within: /^-h?p(?=[^=-])/ }
const W: Given = { next: /^-w$/, within: /^-w(?=[^=-])/ }
const AUTH: Given = { next: /^-a$/ }
/** Its own options are not secrets: `sshpass -p SECRET ssh -p 22 host`. */
const NONE: Given = {}

const PROGRAMS = new Map<string, Given>([
  ...'mysql mysqldump mysqladmin mysqlimport mysqlsh mariadb mariadb-dump mariadb-admin mongo'
    .split(' ')
    .map((name) => [name, P] as const),
  ...(['mongosh', 'mongodump', 'mongorestore', 'sshpass'] as const).map(
    (name) => [name, P] as const,
  ),
  // docker, podman, az, oc, cf, helm registry: `… login -p SECRET`.
  ['login', { next: /^-p$/ }],
  ...['ssh', 'scp', 'sftp', 'rsync', 'mkdir'].map((name) => [name, NONE] as const),
  ['redis-cli', { next: /^-a$/, within: /^-a(?=[^=-])/ }],
  [
    'curl',
    {
      next: /^(?:-[a-zA-Z#]{0,8}[uU]|--(?:proxy-)?user)$/,
      within: /^(?:-[uU]|--(?:proxy-)?user=)/,
    },
  ],
  ['http', AUTH],
  ['https', AUTH],
  ...['ldapsearch', 'ldapmodify', 'ldapadd', 'ldapwhoami'].map((name) => [name, W] as const),
  ['smbclient', { next: /^-U$/, within: /^-U(?=[^=-])/ }],
  ['openssl', { next: /^-(?:k|K|pass(?:in|out)?)$/ }],
  ...['7z', '7za', '7zz', 'rar', 'unrar'].map((name) => [name, WITHIN_P] as const),
  ...['zip', 'unzip', 'sqlcmd', 'ipmitool'].map((name) => [name, CAPITAL_P] as const),
  ['snmpwalk', { next: /^-[cAX]$/ }],
  ['xfreerdp', { within: /^\/p:/ }],
])

/** `htpasswd -b FILE USER SECRET`, `htpasswd -nb USER SECRET`: the last word. */
const ARGUMENT = '[^\\s;|&"\'`]{1,200}'
const HTPASSWD = new RegExp(
  [
    `\\bhtpasswd((?:\\s{1,8}${ARGUMENT}){0,3}?\\s{1,8}-[a-zA-Z]{0,8}b[a-zA-Z]{0,8}`,
    `(?:\\s{1,8}${ARGUMENT}){1,4}?\\s{1,8})(${ARGUMENT})(?=\\s{0,8}(?:[;|&"'\`\\n]|$))`,
  ].join(''),
  'g',
)

/** Where a word of a command line ends, and where another command begins. */
const WORD = /[;|&\n]+|[^\s;|&"'`()]+/g

/** Longer words are neither programs nor their options. */
const NAME_MAX_CHARS = 200

/**
 * SPEC OS8. Command lines without the secrets in one-letter options: `mysql -phunter2`, `docker
 * login -p hunter2`, `curl -u ada:hunter2`. One pass over the text.
 */
export function withoutOptionSecrets(text: string): string {
  const word = new RegExp(WORD)
  let program: Given | undefined
  let written = ''
  let from = 0
  for (let match = word.exec(text); match !== null; match = word.exec(text)) {
    const [found] = match
    const end = match.index + found.length
    if (/^[;|&\n]/.test(found)) program = undefined
    else program = PROGRAMS.get(nameOf(found)) ?? program
    const at = program && secretAt(program, found, match.index, text)
    if (at === undefined) continue
    const secretEnd = Math.max(end, valueEnd(text, at))
    word.lastIndex = secretEnd
    if (secretEnd === at || isHarmless(text.slice(at, secretEnd))) continue
    written += text.slice(from, at) + HIDDEN
    from = secretEnd
  }
  return (written + text.slice(from)).replaceAll(HTPASSWD, (_, before: string, secret: string) => {
    return `htpasswd${before}${isHarmless(secret) ? secret : HIDDEN}`
  })
}

const SPACES = /[ \t]{1,8}/y

/** Where the secret begins that this word contains or announces. */
function secretAt({ next, within }: Given, word: string, at: number, text: string) {
  if (word.length > NAME_MAX_CHARS) return undefined
  const option = within?.exec(word)?.[0]
  if (option !== undefined && option.length < word.length) return at + option.length
  if (!next?.test(word)) return undefined
  const end = at + word.length
  SPACES.lastIndex = end
  const isApart = SPACES.test(text)
  // `-p'a word'`: no space between.
  return isApart ? SPACES.lastIndex : /["']/.test(text[end] ?? '') ? end : undefined
}

/** Another option, a port, a variable, or already hidden. */
function isHarmless(value: string): boolean {
  return /^-|^\d{1,5}:\d{1,5}$/.test(value) || value === HIDDEN || isOrdinary(value)
}

/** `/usr/bin/mysql` is `mysql`. */
function nameOf(word: string): string {
  return word.length > NAME_MAX_CHARS ? '' : word.slice(word.lastIndexOf('/') + 1)
}
