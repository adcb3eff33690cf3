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

/** The line that signals `word`, for the agent to read. */
export function signalLine(mode: Mode, word: string): string | undefined {
  return Object.keys(SIGNALS[mode]).find((line) => SIGNALS[mode][line] === word)
}

/** SPEC LP12. The agent ends its loop without having finished: no command is run. */
export function givesUp(word: string): boolean {
  return word === 'STUCK' || word === 'MAX_ITERATIONS' || word === 'MAX_ISSUES'
}
