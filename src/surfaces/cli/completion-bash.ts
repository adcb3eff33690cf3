import type { CommandWords, OptionWords, Value } from './completion-words.ts'

/** Works with bash 3.2 and later, and needs no other program. */
export function bashScript(commands: readonly CommandWords[]): string {
  const names = [...commands.map(({ name }) => name), 'help'].join(' ')
  return `# vigil completion for bash
_vigil() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} vigil=$1 i
  COMPREPLY=()
  # Bash takes --until=idle for three words.
  if [ "$cur" = = ]; then cur=; elif [ "$prev" = = ]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    case $cur in -*) _vigil_words '--help --version' ;; *) _vigil_words '${names}' ;; esac
    return
  fi
  case \${COMP_WORDS[1]} in
    help) _vigil_words '${names}' ;;
${commands.map(branch).join('\n')}
  esac
}

_vigil_lines() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done
}

_vigil_words() { _vigil_lines < <(compgen -W "$1" -- "$cur"); }

_vigil_several() {
  local last=\${cur##*,}
  _vigil_lines < <(compgen -P "\${cur%"$last"}" -W "$1" -- "$last")
}

_vigil_files() {
  compopt -o filenames 2>/dev/null
  _vigil_lines < <(compgen -f -- "$cur")
}

# What follows -- is a command of the user's own.
_vigil_command() {
  for ((i = 2; i < COMP_CWORD; i++)); do
    [ "\${COMP_WORDS[i]}" = -- ] || continue
    if [ "$i" -eq $((COMP_CWORD - 1)) ]; then _vigil_lines < <(compgen -c -- "$cur")
    else _vigil_files; fi
    return
  done
  return 1
}

_vigil_sessions() {
  local name begun=\${cur#[\\"\\']}
  while IFS=$'\\t' read -r name _; do COMPREPLY+=("$(printf %q "$name")")
  done < <("$vigil" completion --sessions="$begun" 2>/dev/null)
}

complete -F _vigil vigil
`
}

function branch(command: CommandWords): string {
  const { typed, commands } = command
  if (commands.length === 0) return plainBranch(command)
  const names = commands.map(({ name }) => name).join(' ')
  return `    ${typed.join('|')})
      if [ "$COMP_CWORD" -eq 2 ]; then
        case $cur in -*) _vigil_words '--help' ;; *) _vigil_words '${names}' ;; esac
        return
      fi
      case \${COMP_WORDS[2]} in
${commands.map(plainBranch).join('\n')}
      esac ;;`
}

function plainBranch({ typed, options, argument, acts }: CommandWords): string {
  const taking = options.filter(({ value }) => value)
  const flags = options.flatMap((option) => option.flags).join(' ')
  const also = acts.length > 0 ? `; _vigil_words '${acts.join(' ')}'` : ''
  const offered = `${offer(argument)}${also}`
  const lines = [
    ...(argument?.of === 'command' ? ['_vigil_command && return'] : []),
    ...(taking.length > 0 ? ['case $prev in', ...taking.map(valued), 'esac'] : []),
    `case $cur in -*) _vigil_words '${flags}' ;; *) ${offered} ;; esac ;;`,
  ]
  return [`    ${typed.join('|')})`, ...lines.map((line) => `      ${line}`)].join('\n')
}

function valued({ flags, value }: OptionWords): string {
  return `  ${flags.join('|')}) ${offer(value)}; return ;;`
}

function offer(value: Value | undefined): string {
  switch (value?.of) {
    case 'words':
      return `${value.several ? '_vigil_several' : '_vigil_words'} '${value.words.join(' ')}'`
    case 'session':
      return '_vigil_sessions'
    case 'file':
      return '_vigil_files'
    default:
      return ':'
  }
}
