import type { HookScript } from '../../../src/agents/hook-script.ts'

export const HOOK_SCRIPT: HookScript = {
  notes: [{ as: 'fablePid', variable: 'FABLE_PID', isNumber: true }],
  borrowers: [],
  asksAbout: { request: { has: '"happened":"ask"' } },
  prints: [{ exit: 0, begins: '{"leave":"', ends: '"}' }],
}
