/** What claude-rpg sees on a screen, and how sure it is. */
export interface Detection {
  readonly status: 'error' | 'waiting' | 'working' | 'idle' | 'unknown'
  readonly confidence: number
}

interface Pattern {
  readonly regex: RegExp
  readonly confidence: number
}

/**
 * Names and confidences are from the audit. It gives the expressions of only three patterns (those
 * of `idle`); the others are written here so that they do on today's client what their names say,
 * which favours it: the originals look for spinners and dialogs of an older client. Patterns whose
 * confidence is below the threshold of their kind can never decide and are left out:
 * question_prompt (0.60), dots_spinner (0.50), shell_prompt (0.40).
 */
const PATTERNS: Readonly<Record<string, Pattern>> = {
  api_error: { regex: /^\W*API Error: /m, confidence: 0.8 },

  bash_permission: { regex: /Do you want to proceed\?\n\W*1\. /, confidence: 0.95 },
  edit_permission: { regex: /Do you want to make this edit .*\n\W*1\. /, confidence: 0.95 },
  write_permission: { regex: /Do you want to (create|overwrite) .*\n\W*1\. /, confidence: 0.95 },
  plan_mode: { regex: /Would you like to proceed\?\n/, confidence: 0.9 },
  arrow_choices: { regex: /^ *❯ \d\. /m, confidence: 0.85 },
  choice_prompt: { regex: /^ *Enter to (select|confirm) · /m, confidence: 0.8 },
  generic_permission: { regex: /\[y\/n\]\s*$/im, confidence: 0.7 },

  spinner: { regex: /^[·✢✳✶✻✽*] (\S+…|.* Retrying in )/m, confidence: 0.9 },
  thinking: { regex: /^[·✢✳✶✻✽*] .*thinking/m, confidence: 0.85 },
  agent_working: { regex: /^ *◯ .* \d+s( ·.*)?$/m, confidence: 0.85 },
  tool_executing: { regex: /^ *⎿ +Running…/m, confidence: 0.7 },

  claude_prompt: { regex: /Claude.*>\s*$/m, confidence: 0.8 },
  task_complete: { regex: /Task complete|Done|Finished/i, confidence: 0.7 },
  checkmark: { regex: /[✓✔☑]/, confidence: 0.6 },
}

/** In the audit's order, each with the confidence it must exceed. */
const KINDS = [
  { status: 'error', above: 0.7, names: ['api_error'] },
  {
    status: 'waiting',
    above: 0.6,
    names: [
      ...['bash_permission', 'edit_permission', 'write_permission', 'plan_mode'],
      ...['arrow_choices', 'choice_prompt', 'generic_permission'],
    ],
  },
  {
    status: 'working',
    above: 0.5,
    names: ['spinner', 'thinking', 'agent_working', 'tool_executing'],
  },
  { status: 'idle', above: 0.4, names: ['claude_prompt', 'task_complete', 'checkmark'] },
] as const

const MAX_LINES = 50

/** Confidences as they were lowered after the audit. */
export const LOWERED = { claude_prompt: 0.6, task_complete: 0.5, checkmark: 0.4 } as const

export type Confidences = Readonly<Record<string, number>>

export function detect(screen: string, confidences: Confidences = {}): Detection {
  const text = screen.split('\n').slice(-MAX_LINES).join('\n')
  for (const { status, above, names } of KINDS) {
    const found = names.filter((name) => PATTERNS[name]?.regex.test(text))
    const confidence = Math.max(
      0,
      ...found.map((name) => confidences[name] ?? PATTERNS[name]?.confidence ?? 0),
    )
    if (confidence > above) return { status, confidence }
  }
  return { status: 'unknown', confidence: 0.3 }
}
