import { shellQuoted } from '../../core/shell-word.ts'
import type { CommandWords, OptionWords, Value } from './completion-words.ts'

/** Put it into `fpath` as `_vigil`, or source it after compinit. */
export function zshScript(commands: readonly CommandWords[]): string {
  return `#compdef vigil
# vigil completion for zsh
_vigil() {
  local vigil=$words[1]
  local -a known
  known=(
${commands.map(({ name, summary }) => `    ${shellQuoted(`${name}:${summary}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    if [[ $PREFIX == -* ]]; then compadd -- --help --version
    else _describe -t commands command known; fi
    return
  fi
  local typed=$words[2]
  shift words
  (( CURRENT-- ))
  case $typed in
    (help) _describe -t commands command known ;;
${commands.map(branch).join('\n')}
  esac
}

# What follows -- is a command of the user's own.
_vigil_command() {
  local at=\${words[(i)--]}
  (( at < CURRENT )) || return 1
  shift $at words
  (( CURRENT -= at ))
  _normal
}

_vigil_sessions() {
  local line
  local -a names
  for line in \${(f)"$($vigil completion --sessions="\${(Q)PREFIX}" 2>/dev/null)"}; do
    names+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  _describe -t sessions session names
}

if [ "$funcstack[1]" = _vigil ]; then _vigil "$@"; else compdef _vigil vigil; fi
`
}

function branch(command: CommandWords): string {
  const { typed, commands } = command
  if (commands.length === 0) return plainBranch(command)
  const known = commands.map(({ name, summary }) => shellQuoted(`${name}:${summary}`))
  return `    (${typed.join('|')})
      known=(
        ${known.join('\n        ')}
      )
      if (( CURRENT == 2 )); then
        if [[ $PREFIX == -* ]]; then compadd -- --help
        else _describe -t commands command known; fi
        return
      fi
      typed=$words[2]
      shift words
      (( CURRENT-- ))
      case $typed in
${commands.map(plainBranch).join('\n')}
      esac ;;`
}

function plainBranch({ typed, options, argument, acts }: CommandWords): string {
  const specs = [...options.map(optionSpec), ...argumentSpec(argument, acts)]
  return [
    `    (${typed.join('|')})`,
    ...(argument?.of === 'command' ? ['      _vigil_command && return'] : []),
    `      _arguments -s -S \\`,
    `        ${specs.join(' \\\n        ')} ;;`,
  ].join('\n')
}

/** `'(-o --output)'{-o,--output}'[write to this file]:file:_files'` */
function optionSpec({ flags, description, value }: OptionWords): string {
  const told = `[${description.replaceAll(/[[\]:\\]/g, '\\$&')}]${actionOf(value)}`
  const long = value ? flags.map((flag) => (flag.startsWith('--') ? `${flag}=` : flag)) : flags
  if (long.length === 1) return shellQuoted(`${long[0]}${told}`)
  return `${shellQuoted(`(${flags.join(' ')})`)}{${long.join(',')}}${shellQuoted(told)}`
}

function argumentSpec(value: Value | undefined, acts: readonly string[]): string[] {
  if (acts.length > 0)
    return [shellQuoted(`*:value:{ _vigil_sessions; compadd -- ${acts.join(' ')} }`)]
  switch (value?.of) {
    case undefined:
    case 'text':
    case 'command':
      return []
    case 'file':
      return [shellQuoted('*:file:_files')]
    default:
      return [shellQuoted(`1${actionOf(value)}`)]
  }
}

function actionOf(value: Value | undefined): string {
  switch (value?.of) {
    case undefined:
      return ''
    case 'words':
      return value.several
        ? `:value:_values -s , value ${value.words.join(' ')}`
        : `:value:(${value.words.join(' ')})`
    case 'session':
      return ':session:_vigil_sessions'
    case 'file':
      return ':file:_files'
    default:
      return ':value: '
  }
}
