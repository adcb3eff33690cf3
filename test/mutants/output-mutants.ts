import type { Mutant } from './mutants.ts'

type Breakage = readonly [breaks: string, find: string, replace: string, caughtBy: string]

const cli = 'src/surfaces/cli'
const notify = 'src/surfaces/notify'

/** Output, exports and secrets: each rule broken once. */
export const OUTPUT_MUTANTS: readonly Mutant[] = [
  ...within('src/core/unseen.ts', `${cli}/output.test.ts`, [
    ['a mark of direction acts', '\\\\u034f\\\\u061c', '\\\\u034f', 'OS1'],
    [
      'any joiner is taken for an emoji’s',
      'return JOINER.test(text)',
      "return text[at] === '\\u200d'",
      'OS1',
    ],
    [
      'C1 controls stay in JSON',
      'return json.replace(IN_TEXT',
      'return json.replace(/(?!)/gu',
      'OS2',
    ],
  ]),
  ...within(`${cli}/output.ts`, `${cli}/output.test.ts`, [
    ['data is written as it is', 'return markUnseen(line)', 'return line', 'OS3'],
    [
      'a painted line is written as it is',
      'i % 2 === 0 ? markUnseen(part)',
      'i % 2 === 0 ? part',
      'OS4',
    ],
    ['JSON is written as it is', 'return escapedJson(JSON', 'return (JSON', 'OS3'],
  ]),
  ...within('src/surfaces/tui/picture.ts', 'src/surfaces/tui/picture.test.ts', [
    ['the live view draws what acts', 'markUnseen(given.text)', 'given.text', 'OS10'],
  ]),
  ...within('src/app/main.ts', 'test/commands/output.test.ts', [
    [
      'an error of the parser is written as it is',
      'outputError: (text) => err.lines(',
      'outputError: (text, write) => text.length < 0 ? [] : write(text) ?? err.lines([]) ?? (',
      'OS3',
    ],
  ]),
  ...within(`${cli}/pick.ts`, 'test/tidy.test.ts', [
    [
      'a command writes by itself',
      'throw new BadInput(message, 2',
      'process.stdout.write(message)\n  throw new BadInput(message, 2',
      'OS6',
    ],
  ]),
  ...within(`${cli}/redact.ts`, `${cli}/redact-canary.test.ts`, [
    [
      'a server’s tools are exported',
      'if (this.#rules.isOwnWord(field, value)) return value',
      "if (value !== '') return value",
      'OS5',
    ],
    [
      'any word is the agent’s',
      'this.#rules.isOwnWord(field, value) ? value : this.#hidden.text(value)',
      'value',
      'OS5',
    ],
  ]),
  ...within(`${cli}/redact-rules.ts`, `${cli}/redact-canary.test.ts`, [
    [
      'the text of an error is exported',
      "if (field === 'agent')",
      "if (field === 'cause') return true\n    if (field === 'agent')",
      'OS5',
    ],
  ]),
  ...within(`${cli}/redact-rules.ts`, `${cli}/redact.test.ts`, [
    [
      'an agent without rules is hidden by another’s',
      'agent?.redact ?? COMMON',
      '(agent ?? AGENTS[0])?.redact ?? COMMON',
      'AG8',
    ],
  ]),
  ...within(`${notify}/secret-names.ts`, `${notify}/secrets.test.ts`, [
    ['DB_PASS is no secret', ")?pass'", ")pass'", 'OS8'],
    ['an option’s value is sent', "name.startsWith('-') && SPACES", 'false && SPACES', 'OS8'],
    ['counts of tokens are hidden', "last === 'tokens' && AMOUNT", 'false && AMOUNT', 'OS8'],
  ]),
  ...within(`${notify}/secret-options.ts`, `${notify}/secrets.test.ts`, [
    ['mysql -p is sent', 'const P: Given = { next: /^-p$/, ', 'const P: Given = { ', 'OS8'],
    ['every program has a password by -p', 'program = undefined', 'program = P', 'OS8'],
  ]),
  ...within(`${notify}/text.ts`, `${notify}/secrets.test.ts`, [
    [
      'half a secret is sent',
      'text.length > RAW_MAX ? withoutHalf(clean)',
      'max < 0 ? withoutHalf(clean)',
      'OS8',
    ],
  ]),
  ...within(`${notify}/secrets.ts`, `${notify}/secrets.test.ts`, [
    [
      'patterns begin anew at every letter',
      'hidden = withoutOptionSecrets(',
      "hidden = hidden.replaceAll(/[\\w.-]*token[\\w.-]*=/g, '')\n  hidden = withoutOptionSecrets(",
      'OS9',
    ],
  ]),
]

function within(file: string, test: string, all: readonly Breakage[]): readonly Mutant[] {
  return all.map(([breaks, find, replace, caughtBy]) => {
    return { breaks, file, find, replace, test, caughtBy }
  })
}
