import type { TitleReading } from '../../../src/agents/agent.ts'

const WORDS: Readonly<Record<string, Omit<TitleReading, 'said'>>> = {
  telling: { status: 'working' },
  'asks leave': { status: 'waiting', for: 'permission' },
  'is over': { status: 'idle' },
}

/** `a tale that is over`, whatever the tale is called. */
export function readTitle(title: string): TitleReading | undefined {
  const [, said = ''] = / · fable (.+)$/.exec(title) ?? []
  const word = Object.hasOwn(WORDS, said) ? WORDS[said] : undefined
  return word && { ...word, said }
}
