/** `npm run words`: writes every text that a user can see into one file, to be read as a whole. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { wordsOfShell, wordsOfSource } from './words/collect.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

export const WORDS_FILE = 'test/words.txt'

/** Sources without a text for users: word lists, scripts for shells and service managers, tmux. */
const NOT_FOR_USERS = new RegExp(
  [
    '\\.test\\.tsx?$|/(node_modules|dist|migrations)/',
    'claude/redact/|claude/role\\.ts|notify/secret-',
    'cli/redact-(rules|hidden)|/completion-\\w+\\.ts',
    'install/(launchd|service|uninstall)\\.ts|agents/hook-script\\.ts',
    'api/worker\\.ts|tab-sign\\.ts',
  ].join('|'),
)

/** The text of the file: each source in the order of its path, each text once for a source. */
export function collectedWords(): string {
  const scripts = pathsOf('{src,bin}/**/*.{ts,tsx,js}').map((path) => {
    return section(path, wordsOfSource(path, readFileSync(root + path, 'utf8')))
  })
  const shell = pathsOf('{hook,plugin/scripts}/*').map((path) => {
    return section(path, wordsOfShell(readFileSync(root + path, 'utf8')))
  })
  return [...scripts, ...shell].filter((text) => text !== '').join('\n')
}

function pathsOf(pattern: string): readonly string[] {
  return globSync(pattern, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !NOT_FOR_USERS.test(path))
    .toSorted()
}

function section(path: string, words: readonly string[]): string {
  const lines = [...new Set(words)].map((text) => `  ${text.replaceAll('\n', '\n    ')}\n`)
  return lines.length === 0 ? '' : `${path}\n${lines.join('')}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(root + WORDS_FILE, collectedWords())
}
