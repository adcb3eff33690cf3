/** Printed if there are no sessions: says so, and how to see one. */
export const NO_SESSIONS: readonly string[] = [
  'vigil found no running agent on this machine.',
  '',
  '  vigil demo       try vigil on a dozen simulated agents',
  '  vigil run        start an agent with vigil’s hooks',
  '  vigil install    let every session report to vigil',
]
