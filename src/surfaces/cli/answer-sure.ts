import { createInterface } from 'node:readline'
import { BadInput } from './bad-input.ts'
import { out } from './output.ts'
import { settled } from './paged.ts'

/** SPEC SH6. Asks on a terminal, below the whole request; only y and yes confirm. */
export async function isSure(): Promise<boolean> {
  await settled()
  out.text('[y/N] ')
  const typed = createInterface({ input: process.stdin })
  try {
    for await (const line of typed) return /^\s*y(es)?\s*$/i.test(line)
    return false
  } finally {
    typed.close()
  }
}

/** Whether a person can read the output and type an answer. */
export function hasTerminal(): boolean {
  return process.stdin.isTTY === true && out.isTerminal
}

export function unseen(act: string): BadInput {
  return new BadInput(
    `answer ${act}: this is not a terminal, so --request must name the request; ` +
      `\`vigil answer\` lists all requests with their codes`,
  )
}
