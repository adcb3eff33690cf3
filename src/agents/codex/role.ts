import type { Role } from '../agent.ts'

/**
 * What a process is to Codex, by the words it was started with. The terminal client and `exec` hold
 * sessions. The shared daemon (`app-server`) holds the work of many sessions and is no session; the
 * sandbox and the host of its tools run one command each.
 */
export function codexRoleOf(argv: readonly string[]): Role | undefined {
  const [program = '', ...words] = argv.filter((word) => word !== '')
  const name = nameOf(program)
  if (name === 'codex') return holdsSession(words) ? 'client' : 'helper'
  if (HELPERS.has(name)) return 'helper'
  if (!INTERPRETER.test(name)) return undefined
  const script = words.find((word) => !word.startsWith('-')) ?? ''
  // npm's start script; the program that it starts is the client.
  return SCRIPT.test(script) ? 'wrapper' : undefined
}

const INTERPRETER = /^(node|nodejs|bun|sh|bash|dash|zsh)$/
const SCRIPT = /(^|\/)codex(\.js)?$/
const HELPERS: ReadonlySet<string> = new Set(['codex-linux-sandbox', 'codex-code-mode-host'])

/** Commands that hold no session (0.166.0); what is not named here is a prompt or an option. */
const ERRANDS: ReadonlySet<string> = new Set(
  [
    'app-server app-server-broker apply a cloud completion daemon debug doctor execpolicy features',
    'generate-ts help login logout mcp mcp-server plugin plugins queue responses-api-proxy sandbox',
    'stdio-to-uds update --help -h --version -V',
    'archive delete exec-server migrate-nfs-db migrate-rollouts remote-control unarchive',
  ].flatMap((line) => line.split(' ')),
)

/** Options that take a value (0.166.0), so that the word behind them is no command. */
const VALUED: ReadonlySet<string | undefined> = new Set(
  [
    '-a --ask-for-approval -c --config -C --cd -i --image -m --model -o --output-last-message',
    '-p --profile -s --sandbox --add-dir --color --cyber-access-program --disable --enable',
    '--local-provider --output-schema --remote --remote-auth-token-env --thread-source',
  ].flatMap((line) => line.split(' ')),
)

function holdsSession(words: readonly string[]): boolean {
  return !words.some((word, at) => ERRANDS.has(word) && commandAt(words, at))
}

/** Whether nothing but options and their values stands before this word, which is no value. */
function commandAt(words: readonly string[], at: number): boolean {
  const isValue = (index: number) => VALUED.has(words[index - 1])
  const before = words.slice(0, at)
  return !isValue(at) && before.every((word, index) => word.startsWith('-') || isValue(index))
}

/** Whether the session is in the client's own process, and not in the shared daemon. */
export function isOnItsOwn(words: readonly string[]): boolean {
  return isExec(words) || words.includes('--no-daemon')
}

function isExec(words: readonly string[]): boolean {
  return words.some((word, at) => EXEC.test(word) && commandAt(words, at))
}

/** A review runs like a prompt, without a terminal. */
const EXEC = /^(exec|e|review)$/

/** `codex exec` runs one prompt: its turn starts with its process. */
export function startsTurn([, ...words]: readonly string[]): boolean {
  return isExec(words)
}

/** `codex resume ID` names its session; `resume --last` and the lists of sessions do not. */
export function resumedIn([, ...words]: readonly string[]):
  | { readonly session?: string }
  | undefined {
  const own = isExec(words) ? words.slice(words.findIndex((word) => EXEC.test(word)) + 1) : words
  const at = own.findIndex((word, index) => RESUMES.test(word) && commandAt(own, index))
  if (at < 0) return undefined
  const session = own.slice(at + 1).find((word) => THREAD.test(word))
  return session === undefined ? {} : { session }
}

/** `codex agents` lists the sessions of the daemon. */
const RESUMES = /^(resume|agents)$/

/** What is stored of the arguments: the kind of client and its session; the rest is the user's. */
export function codexCommandOf(argv: readonly string[]): string {
  const words = argv.slice(1)
  const resumed = resumedIn(argv)
  const resume = resumed && ['resume', ...(resumed.session === undefined ? [] : [resumed.session])]
  const own = isExec(words) ? ['exec'] : words.includes('--no-daemon') ? ['--no-daemon'] : []
  return ['codex', ...own, ...(resume ?? [])].join(' ')
}

const THREAD = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
