import type { HookScript } from '../hook-script.ts'

function decided(behavior: string): string {
  const decision = `"decision":{"behavior":"${behavior}"`
  return `{"hookSpecificOutput":{"hookEventName":"PermissionRequest",${decision}`
}

export const HOOK_SCRIPT: HookScript = {
  notes: [
    { as: 'claudePid', variable: 'CLAUDE_PID', isNumber: true },
    { as: 'configDir', variable: 'CLAUDE_CONFIG_DIR' },
    { as: 'blockCap', variable: 'CLAUDE_CODE_STOP_HOOK_BLOCK_CAP' },
  ],
  // GitHub Copilot CLI runs the hooks of a project's settings, with similar payloads.
  borrowers: [{ variable: 'COPILOT_CLI', agent: 'copilot' }],
  // With `-p` the client asks and refuses nothing else until this hook has ended.
  attended: { variable: 'CLAUDE_CODE_ENTRYPOINT', value: 'cli' },
  asksAbout: {
    compact: { has: '"source":"compact"' },
    // A subagent's dialog is drawn once its hook has ended. Inside a text the quotes of the name
    // would be escaped.
    request: { lacks: '"agent_id":"' },
  },
  prints: [
    { exit: 2, begins: '{"decision":"block","reason":"', ends: '"}' },
    {
      exit: 0,
      begins: '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"',
      ends: '"}}',
    },
    ...['allow', 'deny'].map((behavior) => ({ exit: 0, begins: decided(behavior), ends: '}}}' })),
  ],
}
