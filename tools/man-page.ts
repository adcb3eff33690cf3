import { COMMANDS } from '../src/app/commands.ts'
import {
  type CommandWords,
  describeCommands,
  type OptionWords,
} from '../src/surfaces/cli/completion-words.ts'

/** The manual page of section 1, made from the commands' own help. */
export async function manPage(version: string): Promise<string> {
  const described = await describeCommands(COMMANDS)
  const groups = new Map<string, string[]>()
  for (const [at, { group }] of COMMANDS.entries()) {
    const lines = commandLines(described[at] as CommandWords, 'vigil')
    groups.set(group, [...(groups.get(group) ?? []), ...lines])
  }
  const commands = [...groups].flatMap(([group, lines]) => [`.SS "${roff(group)}"`, ...lines])
  return `${[...headLines(version), ...commands, ...TAIL].join('\n')}\n`
}

function headLines(version: string): string[] {
  return [
    '.\\" Made by tools/man.ts from the table of commands.',
    `.TH VIGIL 1 "" "vigil ${version}" "User Commands"`,
    '.SH NAME',
    'vigil \\- shows what every coding agent is doing',
    '.SH SYNOPSIS',
    '.B vigil',
    '[\\fIcommand\\fR] [\\fIoption\\fR ...]',
    '.SH DESCRIPTION',
    'Without a command vigil shows every agent on this machine, live. You can shorten a command',
    'as long as it stays unique. SESSION is the beginning of an id, a name, a title or a folder.',
    'Each command has examples in its help: \\fBvigil\\fR \\fIcommand\\fR \\fB\\-\\-help\\fR.',
    '.SH COMMANDS',
  ]
}

function commandLines(
  { name, summary, options, commands }: CommandWords,
  within: string,
): string[] {
  const typed = `${within} ${name}`
  return [
    '.TP',
    `.B ${roff(typed)}`,
    textLine(summary),
    ...(options.length === 0 ? [] : ['.RS', ...options.flatMap(optionLines), '.RE']),
    ...commands.flatMap((command) => commandLines(command, typed)),
  ]
}

function optionLines({ flags, description, value }: OptionWords): string[] {
  if (flags.includes('--help')) return []
  const named = flags.map((flag) => `\\fB${roff(flag)}\\fR`).join(', ')
  return ['.TP', value ? `${named} \\fIvalue\\fR` : named, textLine(description)]
}

const TAIL = [
  '.SH FILES',
  '.TP',
  '.I ~/.local/share/vigil',
  'The log, and the backups that vigil uninstall needs.',
  '.TP',
  '.I ~/.local/state/vigil',
  'Reports from hooks that the daemon has not read yet, and vigil.log.',
  '.TP',
  '.I ~/.config/vigil/settings.json',
  'Settings.',
  '.TP',
  '.I /etc/vigil/policy.json',
  'The policy of the administrator.',
  '.SH ENVIRONMENT',
  '.TP',
  '.B VIGIL_HOME',
  'Use this folder for all of these files.',
]

/** A line of text may begin like a roff request. */
function textLine(text: string): string {
  return /^[.']/.test(text) ? `\\&${roff(text)}` : roff(text)
}

/** A typed hyphen must not become a typographic one; older roffs read only ASCII. */
function roff(text: string): string {
  const typed = text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('"', '\\(dq')
  return typed.replace(/[^\0-\x7f]/gu, (letter) => {
    return `\\[u${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`
  })
}
