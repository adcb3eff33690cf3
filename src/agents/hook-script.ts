import { shellQuoted } from '../core/shell-word.ts'

/** The agent's part of its hook script: POSIX sh knows no agent by itself. */
export interface HookScript {
  /** The agent's variables that every report includes, and no others: the rest are secrets. */
  readonly notes: readonly HookNote[]
  /** Other agents that run these hooks too, each recognised by a variable that it sets. */
  readonly borrowers: readonly { readonly variable: string; readonly agent: string }[]
  /** The agent waits for a person only where this variable is empty or has this value. */
  readonly attended?: { readonly variable: string; readonly value: string }
  /** By the word after `answer`: a text that the payload must contain, or must not contain. */
  readonly asksAbout: Readonly<Record<string, PayloadTest>>
  /** What may be printed to the agent, by its beginning and end, with its exit code. */
  readonly prints: readonly HookPrint[]
}

interface HookNote {
  /** Its name in the report's header. */
  readonly as: string
  readonly variable: string
  readonly isNumber?: true
}

type PayloadTest = { readonly has: string } | { readonly lacks: string }

interface HookPrint {
  readonly exit: number
  readonly begins: string
  readonly ends: string
}

interface Hooked {
  readonly id: string
  readonly session?: string | undefined
  readonly script: HookScript
}

/**
 * The part of a hook script that differs between agents: only functions, because a status line's
 * own command may inherit any variable. Every text is quoted, every name checked.
 */
export function shellPartOf({ id, session, script }: Hooked): string {
  const { notes, borrowers, attended, asksAbout, prints } = script
  const other = ({ variable, agent }: HookScript['borrowers'][number]) =>
    `[ -z "\${${named(variable)}-}" ] || agent=${shellQuoted(agent)}`
  const noted = ({ as, variable }: HookNote) =>
    `    "${as}=\${${named(variable)}%%"$report_newline"*}" \\`
  return [
    '# Which agent runs this, which of its sessions, and whether a person sits there.',
    'find_agent() {',
    `  own_agent=${shellQuoted(id)}`,
    '  agent=$own_agent',
    ...borrowers.map((borrower) => `  ${other(borrower)}`),
    `  agent_session=${session === undefined ? '' : `\${${named(session)}-}`}`,
    '  attended=1',
    ...(attended ? [`  case \${${named(attended.variable)}-} in ${usual(attended)} esac`] : []),
    '}',
    '',
    'begin_agent_report() {',
    '  begin_report \\',
    ...notes.map(noted),
    '    "$@"',
    '}',
    '',
    'is_asked_about() {',
    '  case $asked_source in',
    "    '') ;;",
    ...Object.entries(asksAbout).map(([word, test]) => `    ${named(word)}) ${testOf(test)} ;;`),
    '    *) return 1 ;;',
    '  esac',
    '}',
    '',
    '# An exit code, and what is to be printed with it.',
    'is_answer() {',
    '  case "$1 $2" in',
    ...prints.map(printed),
    '    *) return 1 ;;',
    '  esac',
    '}',
  ].join('\n')
}

function usual({ value }: NonNullable<HookScript['attended']>): string {
  return `'' | ${shellQuoted(value)}) ;; *) attended= ;;`
}

function testOf(test: PayloadTest): string {
  const words =
    'has' in test
      ? ['payload_has', shellQuoted(test.has)]
      : ['!', 'payload_has', shellQuoted(test.lacks)]
  return words.join(' ')
}

function printed({ exit, begins, ends }: HookPrint): string {
  const first = [exit, begins].join(' ')
  return `    ${shellQuoted(first)}*${shellQuoted(ends)}) ;;`
}

function named(name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) throw new Error(`${name}: expected a name of a shell’s`)
  return name
}
