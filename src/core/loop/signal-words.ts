import type { Mode } from './run.ts'

/** SPEC LP8. The lines by which an agent ends its loop, as idle-stop-hook.md gives them. */
const LOOP = {
  '<loop-done>COMPLETE</loop-done>': 'COMPLETE',
  '<loop-done>MAX_ITERATIONS</loop-done>': 'MAX_ITERATIONS',
  '<loop-done>STUCK</loop-done>': 'STUCK',
}
export const SIGNALS: Readonly<Record<Mode, Readonly<Record<string, string>>>> = {
  loop: LOOP,
  issue: { ...LOOP, '<issue-complete>DONE</issue-complete>': 'DONE' },
  grind: {
    '<grind-done>NO_MORE_ISSUES</grind-done>': 'NO_MORE_ISSUES',
    '<grind-done>MAX_ISSUES</grind-done>': 'MAX_ISSUES',
  },
}

/** The line that says `word`, to be shown to the agent. */
export function signalLine(mode: Mode, word: string): string | undefined {
  return Object.keys(SIGNALS[mode]).find((line) => SIGNALS[mode][line] === word)
}

/** SPEC LP12. The agent says that it has ended without having done it: no command is asked. */
export function givesUp(word: string): boolean {
  return word === 'STUCK' || word === 'MAX_ITERATIONS' || word === 'MAX_ISSUES'
}
