import { join } from 'node:path'
import type { Place } from '../drive/place.ts'
import type { Seat } from '../drive/run.ts'
import { pause, type Script, say, tool } from '../model/script.ts'

/** What conversations share: the dialogs of the client, and small things for the model to do. */

export const PERMISSION = /Do you want to (proceed|make this edit|create)/

/** Changes something, so it asks; runs long enough to be visible. */
export const TOUCH = tool('Bash', { command: 'touch made.txt && sleep 1', description: 'touch' })

/** What may run without asking. */
export const ALLOW_BASH = ['--allowedTools', 'Bash']

/** Older clients draw a text only when it is whole. */
export const DRAWS_STREAMS = '2.1.0'

/** Text that is still streaming when the user interrupts it. */
export const COUNTING = say(lines(1, 100), { overMs: 20_000 })

/** Text in many short lines: while they stream, the client draws no spinner. */
export function lines(from: number, to: number): string {
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index)
  return numbers.map((number) => `Number ${number}.\n`).join('')
}

/** Runs until its user ends it. */
export const SLEEP = tool('Bash', { command: 'touch slept && sleep 30', description: 'sleep' })

/** Reads, so it never asks; an edit requires that the file was read before. */
export function readHello(place: Place) {
  return tool('Read', { file_path: join(place.project, 'hello.txt') })
}

export function editHello(place: Place) {
  const file_path = join(place.project, 'hello.txt')
  return tool('Edit', { file_path, old_string: 'hello', new_string: 'bye' })
}

/**
 * Older clients wait for a subagent by default; the newest has no such option. Its notice contains
 * its description, which must not look like a prompt that the script knows.
 */
export function agent(prompt: string, { background = true } = {}) {
  const kind = { description: 'a helper', subagent_type: 'general-purpose' }
  return tool('Agent', { ...kind, prompt, run_in_background: background })
}

/** Makes the newest client wait for its subagents. */
export const NO_BACKGROUND = { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1' }

/** Answers every prompt with a hello, after a second of work. */
export function greets(talk: Script): Script {
  return talk.on('hello', pause(1_000), say('Hello there.'))
}

/** A whole turn, from the prompt to its end. */
export async function turn(claude: Seat, prompt: string): Promise<void> {
  await claude.submit(prompt)
  await claude.becomes('working')
  await claude.becomes('idle')
}

/** The client's request to the model when it compacts a conversation. */
export const SUMMARIZE = /create a detailed summary/
