import type { CommandWords, OptionWords, Value } from './completion-words.ts'

export function fishScript(commands: readonly CommandWords[]): string {
  const first = commands.map(
    ({ name, summary }) => `complete -c vigil -n __vigil_first -a ${name} -d ${quoted(summary)}`,
  )
  return `# vigil completion for fish
function __vigil_first
    test (count (commandline -opc)) -eq 1
end

function __vigil_at
    set -l words (commandline -opc)
    test (count $words) -ge 2; and contains -- $words[2] $argv
end

function __vigil_second
    test (count (commandline -opc)) -eq 2; and __vigil_at $argv
end

function __vigil_within
    set -l words (commandline -opc)
    test (count $words) -ge 3; and contains -- $words[3] $argv
end

function __vigil_sessions
    set -l words (commandline -opc)
    command $words[1] completion --sessions=(commandline -ct) 2>/dev/null
end

function __vigil_several
    set -l last (commandline -ct | string replace -r '^(--[a-z]+=)?(.*,)?.*$' '$2')
    for word in $argv
        echo "$last$word"
    end
end

complete -c vigil -f
complete -c vigil -n __vigil_first -l help -d 'show this help'
complete -c vigil -n __vigil_first -l version -d 'print the version'
${first.join('\n')}
${commands.flatMap(linesOf).join('\n')}
`
}

function linesOf(command: CommandWords): string[] {
  const { typed, commands } = command
  if (commands.length === 0) return plainLines(command, `__vigil_at ${typed.join(' ')}`)
  const all = typed.join(' ')
  return [
    ...commands.map(
      ({ name, summary }) =>
        `complete -c vigil -n '__vigil_second ${all}' -a ${name} -d ${quoted(summary)}`,
    ),
    ...commands.flatMap((one) =>
      plainLines(one, `__vigil_at ${all}; and __vigil_within ${one.typed.join(' ')}`),
    ),
  ]
}

function plainLines({ options, argument, acts }: CommandWords, when: string): string[] {
  const at = `complete -c vigil -n ${quoted(when)}`
  return [
    ...options.map((option) => `${at} ${optionWords(option)}`),
    ...(argument && argument.of !== 'text' ? [`${at} ${offer(argument)}`] : []),
    ...(acts.length > 0 ? [`${at} -a ${quoted(acts.join(' '))}`] : []),
  ]
}

function optionWords({ flags, description, value }: OptionWords): string {
  const names = flags.map((flag) =>
    flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
  )
  const taking = value ? [value.of === 'file' ? '-r' : '-x', offer(value)] : []
  return [...names, ...taking, '-d', quoted(description)].filter((part) => part !== '').join(' ')
}

function offer(value: Value): string {
  switch (value.of) {
    case 'words': {
      const words = value.words.join(' ')
      return value.several ? `-a '(__vigil_several ${words})'` : `-a ${quoted(words)}`
    }
    case 'session':
      return "-a '(__vigil_sessions)'"
    case 'file':
      return '-F'
    case 'command':
      return "-a '(__fish_complete_subcommand --fcs-skip=2)'"
    default:
      return ''
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}
