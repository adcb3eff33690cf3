/** Printed if there are no sessions: says so, and how to see one. */
export const NO_SESSIONS: readonly string[] = [
  'No agent runs on this machine, as far as vigil can see.',
  '',
  '  vigil demo       a dozen agents at work, to try vigil on',
  '  vigil run        start one that vigil watches',
  '  vigil install    have every session report to vigil',
]
