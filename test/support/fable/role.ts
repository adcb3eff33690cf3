import type { Role } from '../../../src/agents/agent.ts'

/** A shell script: the shell's name comes first, unless the script named itself. */
export function roleOf(argv: readonly string[]): Role | undefined {
  const [first = '', second = '', third = ''] = argv
  if (nameOf(first) === 'fable') return isErrand(second) ? 'helper' : 'client'
  if (!/^(sh|dash|bash)$/.test(nameOf(first)) || nameOf(second) !== 'fable') return undefined
  return isErrand(third) ? 'helper' : 'client'
}

function isErrand(word: string): boolean {
  return word === 'hooks' || word === '--version'
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
