import type { HookScript } from '../hook-script.ts'

export const CODEX_SCRIPT: HookScript = {
  // The daemon's own; sessions with another home have another daemon.
  notes: [{ as: 'configDir', variable: 'CODEX_HOME' }],
  borrowers: [],
  asksAbout: {},
  // SPEC CX23. The client takes the reason as the next prompt of the same turn.
  prints: [{ exit: 0, begins: '{"decision":"block","reason":"', ends: '"}' }],
}
