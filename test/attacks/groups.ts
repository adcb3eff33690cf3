/** Kinds of attackers, each with the rules that keep it out. A rule is in one group. */
export const GROUPS: readonly { readonly name: string; readonly rules: readonly string[] }[] = [
  {
    name: 'any program that reaches the daemon',
    rules: ['P1', 'DR1', 'DR4'],
  },
  {
    name: 'another user of the machine',
    rules: [...rules('CT', 1, 7), ...rules('OC', 1, 7), 'OC10', 'DR8', 'PF1', 'PF2', 'PF11'],
  },
  {
    name: 'a web page',
    rules: ['OC8', 'SH10', 'SH11', 'SH12', 'SH13', 'PG20', 'DR17'],
  },
  {
    name: 'an agent’s own shell',
    rules: [
      ...rules('WD', 1, 4),
      ...rules('WD', 10, 16),
      'AN9',
      'PF3',
      'PF5',
      'BR1',
      'BR2',
      'BR3',
      'BR9',
    ],
  },
  {
    name: 'what an agent asks',
    rules: ['SH14', 'SH15', ...rules('SH', 1, 9), 'BR5'],
  },
  {
    name: 'files and repositories',
    rules: ['BR6', 'BR7', 'BR8', 'BR10', 'PF6', 'PF7', 'PF8'],
  },
  {
    name: 'hostile text and secrets',
    rules: [...rules('OS', 1, 6), ...rules('OS', 8, 10)],
  },
  {
    name: 'floods',
    rules: ['BR4', ...rules('LI', 1, 6)],
  },
  {
    name: 'policy, audit log, packages',
    rules: [...rules('WD', 20, 24), ...rules('AU', 1, 10), 'CT8', 'CT9'],
  },
  {
    name: 'a member of the fleet',
    rules: [
      ...rules('FL', 71, 75),
      ...['FL22', 'FL90', 'FL97', 'FL120', 'FL125', 'FL133', 'FL134', 'FL135'],
      ...['FL145', 'FL163', 'FL164', 'FL166', 'FL168', 'FL181', 'FL182', 'FL183'],
    ],
  },
  {
    name: 'the fleet’s server',
    rules: [
      ...['FL2', 'FL3', 'FL5', 'FL12', 'FL18', 'FL23', 'FL60', 'FL77', 'FL130', 'FL136', 'FL138'],
      ...rules('FL', 160, 162),
      ...['FL167', 'FL185'],
    ],
  },
]

/** The group of a test, by the first rule in its title. */
export function groupOf(title: string): string | undefined {
  const [, rule] = /\[([A-Z]{1,2}\d+)\]/.exec(title) ?? []
  return GROUPS.find(({ rules: own }) => own.includes(rule ?? ''))?.name
}

function rules(prefix: string, from: number, to: number): readonly string[] {
  return Array.from({ length: to - from + 1 }, (_, i) => `${prefix}${from + i}`)
}
