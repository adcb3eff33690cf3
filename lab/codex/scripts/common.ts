import { pause, type Script, say, tool } from '../../model/script.ts'
import type { CodexSeat } from '../drive/seat.ts'

/** What conversations with Codex share. */

export const APPROVAL = /Would you like to (run the following command|make the following edits)\?/
export const QUESTION = /Question 1\/1/
export const PLAN = /Implement this plan\?/

type Options = Readonly<Record<string, unknown>>

export function shell(cmd: string, options: Options = {}) {
  return tool('exec_command', { cmd, ...options })
}

/** As a model that wants to leave the sandbox. */
export const ASKED = {
  sandbox_permissions: 'require_escalated',
  justification: 'May I run this outside the sandbox?',
}

/** Asks, and runs long enough to be visible. */
export const TOUCH = shell('touch made.txt && sleep 1', ASKED)

function patch(text: string) {
  return tool('apply_patch', { patch: text })
}

export const EDIT = patch(
  '*** Begin Patch\n*** Update File: hello.txt\n@@\n-hello\n+bye\n*** End Patch\n',
)

/** Text that is still streaming when the user interrupts it. */
export const COUNTING = say(
  Array.from({ length: 100 }, (_, at) => `Number ${at + 1}.\n`).join(''),
  { overMs: 20_000 },
)

/** Answers every prompt with a hello, after a second of work. */
export function greets(talk: Script): Script {
  return talk.on('hello', pause(1_000), say('Hello there.'))
}

/** A whole turn, from the prompt to its end. */
export async function turn(codex: CodexSeat, prompt: string): Promise<void> {
  await codex.submit(prompt)
  await codex.becomes('working')
  await codex.becomes('idle')
}
