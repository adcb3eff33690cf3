import type { Role } from '../agent.ts'

/**
 * What a process is to the client, by its arguments. Only its program counts, or the script that an
 * interpreter runs: a path among its arguments may have any name.
 */
export function roleOf(argv: readonly string[]): Role | undefined {
  const [program = '', ...words] = argv.filter((word) => word !== '')
  const name = nameOf(program)
  if (isClientName(program)) return holdsSessions(words) ? 'client' : 'helper'
  if (CLIENT.test(program)) return 'helper'
  if (!INTERPRETER.test(name)) return undefined
  const at = words.findIndex((word) => !word.startsWith('-'))
  const script = words[at] ?? ''
  if (!CLIENT.test(script)) return undefined
  if (!RUNTIME.test(name)) return 'wrapper'
  return isClientScript(script) && holdsSessions(words.slice(at + 1)) ? 'client' : 'helper'
}

const INTERPRETER = /^(node|nodejs|bun|deno|sh|bash|dash|zsh)$/
const RUNTIME = /^(node|nodejs|bun)$/
const CLIENT = /(^|\/)claude(\.exe)?$|\/claude\/versions\/[^/]+$|(^|\/)claude-code\//

/** A client's process has this name, and so does a shell script that is about to become one. */
function isClientName(program: string): boolean {
  return /^claude(\.exe)?$/.test(nameOf(program))
}

/** Before 2.1 the client was a script; it sets its title to `claude` a moment after its start. */
function isClientScript(path: string): boolean {
  return isClientName(path) || /(^|\/)claude-code\/cli\.[cm]?js$/.test(path)
}

/**
 * Subcommands (`claude doctor`), the supervisor of background sessions and servers for others (seen
 * in 2.1.325) hold no session; sessions that they start register themselves.
 */
const ERRANDS: ReadonlySet<string> = new Set(
  [
    'agents attach auth auto-mode config daemon doctor gateway import install kill logs mcp',
    'migrate-installer plugin plugins purge respawn rm setup-token stop ultrareview update upgrade',
    '--bg-pty-host --bg-spare --chrome-native-host --claude-in-chrome-mcp --daemon-worker',
    '--eval-mock-server --preload --help -h --version -v --update --upgrade',
  ].flatMap((line) => line.split(' ')),
)

function holdsSessions(args: readonly string[]): boolean {
  return !ERRANDS.has(args[0] ?? '')
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
