import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../src/app/commands.ts'
import {
  type CommandWords,
  describeCommands,
  type OptionWords,
} from '../src/surfaces/cli/completion-words.ts'
import { filesOf } from './support/files.ts'
import { codeIn, documents } from './support/markdown.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
/** The commands as they define themselves. */
const described = await describeCommands(COMMANDS)
/** Without the names of their parameters. */
const routes = filesOf('src/daemon/api/**/*.ts').flatMap(({ text }) =>
  [...text.matchAll(/'(\/v1\/[^']*)'/g)].map(([, path = '']) => path.replaceAll(/\{\w+\}/g, '{}')),
)
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
/** The changelog is history: it names commands that are gone. */
const all = documents().filter(({ path }) => path !== 'CHANGELOG.md')

/** At the beginning of a line or of what a shell runs: elsewhere it is the name of the project. */
const TYPED = new RegExp(
  [
    '(?:^\\s*(?:\\w*\\$ )?|[|;&(]\\s*|["\'] ?)',
    '(?:[A-Z_]+=\\S+ )*',
    '(?:vigil|node bin/vigil\\.js|npx agent-vigil)(?=\\s|$)',
  ].join(''),
  'g',
)
const PLACEHOLDER = /^(?:[A-Z][A-Z_|-]+(?:\.\.\.)?|<.*|\[.*|\{.*|…|.*…)$/

describe('commands in documents', () => {
  it('there are commands in them', () => {
    expect(all.flatMap(({ text }) => commandsIn(text)).length).toBeGreaterThan(100)
  })

  it.each(all.map(({ path }) => path))('every command in %s exists with its options', (path) => {
    const { text } = all.find((document) => document.path === path) ?? { text: '' }
    expect(faultsIn(text)).toEqual([])
  })

  it('a command, a command within it, an option and a value that do not exist are found', () => {
    const typed = [
      ...['vigil gone', 'vigil loop gone', 'vigil status --gone', 'vigil tmux on --mode gone'],
      ...['vigil wait x --until gone', 'x && vigil stop now', 'vigil --gone', '/vigil:gone'],
      ...[
        'npm run gone',
        'npx vitest run test/gone.test.ts',
        'npx agent-vigil gone',
        'GET /v1/gone',
      ],
    ]
    const text = typed.map((line) => `    ${line}`).join('\n')
    expect(faultsIn(text)).toEqual([
      ...['gone: no such command', 'loop gone: no such command', 'status --gone: no such option'],
      ...['tmux on --mode gone: no such value', 'wait --until gone: no such value'],
      ...['stop now: takes no word', '--gone: no such option', 'gone: no such command'],
      ...['/vigil:gone: not in the plugin', 'npm run gone: no such script'],
      ...['test/gone.test.ts: no such test', '/v1/gone: no such route'],
    ])
  })

  it('what follows a command in its line is not taken for a part of it', () => {
    const lines = [
      ...['vigil status            shows --everything', 'vigil run -- claude --resume'],
      ...['vigil audit --json | jq --raw-output .shown', 'vigil export SESSION > x --gone'],
      ...['vigil loop start --until "make --all && vigil-x"', 'tell vigil gone', 'vigil'],
      ...['laptop$ vigil status', 'vigil --local', 'vigil loop status | history'],
      ...['VIGIL_HOME=/x vigil status # --gone', 'vigil answer …'],
    ]
    expect(lines.flatMap((line) => faultsIn(`    ${line}`))).toEqual([])
  })
})

function faultsIn(text: string): readonly string[] {
  const code = codeIn(text).join('\n')
  const names = (pattern: RegExp) => [...code.matchAll(pattern)].map(([, name = '']) => name)
  return [
    ...commandsIn(text).flatMap(faultOf),
    ...names(/(?<![\w/])\/vigil:(\w+)/g)
      .filter((name) => !existsSync(`${root}plugin/commands/${name}.md`))
      .map((name) => `/vigil:${name}: not in the plugin`),
    ...names(/\bnpm run ([\w:-]+)/g)
      .filter((name) => !(name in scripts))
      .map((name) => `npm run ${name}: no such script`),
    ...names(/\bvitest run (\S+\.ts)/g)
      .filter((path) => !existsSync(root + path))
      .map((path) => `${path}: no such test`),
    ...names(/(\/v1\/[\w./{}-]*[\w}])/g)
      .filter((path) => !routes.includes(path.replaceAll(/\{\w+\}/g, '{}')))
      .map((path) => `${path}: no such route`),
  ]
}

/** The words behind each `vigil` that is typed. */
function commandsIn(text: string): readonly (readonly string[])[] {
  return codeIn(text).flatMap((line) =>
    [...line.matchAll(TYPED)].map((match) => wordsOf(line.slice(match.index + match[0].length))),
  )
}

/** As a shell takes a line apart, up to its end, an operator, a comment or a wide gap. */
function wordsOf(rest: string): readonly string[] {
  const [command = ''] = /^(?:"[^"]*"|'[^']*'|(?! {2})[^|;&><#)"'`])*/.exec(rest) ?? []
  const words: readonly string[] = command.match(/(?:"[^"]*"|'[^']*'|\S)+/g) ?? []
  const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words
  return own.map((word) => word.replaceAll(/["',.]+$|^["']/g, ''))
}

function faultOf(words: readonly string[]): readonly string[] {
  const [name = '--help', ...rest] = words
  if (name.startsWith('-'))
    return /^(-h|--help|-V|--version|--local)$/.test(name) ? [] : [`${name}: no such option`]
  if (name === 'help' || PLACEHOLDER.test(name)) return []
  const command = described.find(({ typed }) => typed.includes(name))
  return command ? faultWithin(command, rest, name) : [`${name}: no such command`]
}

function faultWithin(
  command: CommandWords,
  words: readonly string[],
  typed: string,
): readonly string[] {
  const [next] = words
  if (command.commands.length > 0 && next !== undefined && isPlain(next)) {
    const inner = command.commands.find((one) => one.name === next)
    if (!inner) return [`${typed} ${next}: no such command`]
    return faultWithin(inner, words.slice(1), `${typed} ${next}`)
  }
  const faults: string[] = []
  for (let at = 0; at < words.length; at++) {
    const [flag = '', given] = (words[at] ?? '').split('=')
    const option = command.options.find(({ flags }) => flags.includes(flag))
    if (/^--?\w/.test(flag)) {
      if (!option) faults.push(`${typed} ${flag}: no such option`)
      const value = given ?? words[at + 1]
      if (option && !takes(option, value)) faults.push(`${typed} ${flag} ${value}: no such value`)
      if (option?.value && given === undefined) at += 1
    } else if (isPlain(flag) && !command.argument && command.commands.length === 0)
      faults.push(`${typed} ${flag}: takes no word`)
  }
  return faults
}

function takes({ value }: OptionWords, given: string | undefined): boolean {
  if (value?.of !== 'words' || given === undefined || !isPlain(given)) return true
  return (value.several ? given.split(',') : [given]).every((word) => value.words.includes(word))
}

function isPlain(word: string): boolean {
  return !word.startsWith('-') && !PLACEHOLDER.test(word)
}
