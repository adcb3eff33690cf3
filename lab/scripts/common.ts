import { tool } from '../model/script.ts'

/** What conversations share: the dialogs of the client, and small things for the model to do. */

export const PERMISSION = /Do you want to (proceed|make this edit|create)/

/** Changes something, so it asks; runs long enough to be seen running. */
export const TOUCH = tool('Bash', { command: 'touch made.txt && sleep 1', description: 'touch' })
