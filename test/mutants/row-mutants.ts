import type { Mutant } from './mutants.ts'

type Breakage = readonly [breaks: string, find: string, replace: string, caughtBy: string]

/** What the row of a session says: broken once each. */
export const ROW_MUTANTS: readonly Mutant[] = [
  ...within('src/agents/claude/tools', [
    [
      'a description stands in the place of the command',
      "'plan', 'description']",
      "'plan', 'description'].toReversed()",
      'VW23',
    ],
    [
      'a file is shown by its name alone',
      'file.slice(folder.length + 1)',
      "file.replace(/.*[/]/, '')",
      'VW23',
    ],
  ]),
]

function within(file: string, breakages: readonly Breakage[], test = `${file}.test.ts`): Mutant[] {
  return breakages.map(([breaks, find, replace, caughtBy]) => ({
    ...{ breaks, file: `${file}.ts`, find, replace, test, caughtBy },
  }))
}
