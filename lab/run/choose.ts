import { isAtLeast } from '../../src/agents/version.ts'
import { BadInput } from '../../src/surfaces/cli/bad-input.ts'
import type { Titled } from '../conversation.ts'

export interface Choice<T extends Titled> {
  readonly play: readonly T[]
  readonly skipped: readonly { readonly name: string; readonly why: string }[]
}

export interface Wish {
  /** None: all that do not take long. */
  readonly names: readonly string[]
  readonly all: boolean
  readonly client: string
}

/** What to play, in its order, and what this client cannot play. */
export function choose<T extends Titled>(conversations: readonly T[], wish: Wish): Choice<T> {
  const { names, all, client } = wish
  mustBe(
    names,
    conversations.map(({ name }) => name),
  )
  const asked = conversations.filter(({ name, long }) =>
    names.length > 0 ? names.includes(name) : all || long === undefined,
  )
  const skipped = asked.flatMap(({ name, since }) =>
    since !== undefined && !isAtLeast(client, since)
      ? [{ name, why: `needs client ${since}, this is ${client}` }]
      : [],
  )
  const play = asked.filter(({ name }) => !skipped.some((other) => other.name === name))
  return { play, skipped }
}

/** Refuses an unknown name, and suggests similar ones. */
export function mustBe(names: readonly string[], known: readonly string[]): void {
  const wrong = names.find((name) => !known.includes(name))
  if (wrong !== undefined) throw new BadInput(unknown(wrong, known))
}

const NEAREST_MAX = 3

function unknown(name: string, known: readonly string[]): string {
  const near = known
    .map((other) => ({ other, steps: distance(name, other) }))
    .filter(({ other, steps }) => steps <= name.length / 2 || other.includes(name))
    .toSorted((a, b) => a.steps - b.steps)
    .slice(0, NEAREST_MAX)
    .map(({ other }) => other)
  const hint = near.length > 0 ? `did you mean ${near.join(', ')}?` : 'see --list'
  return `no conversation is called ${name}; ${hint}`
}

/** How many letters must be put in, taken out or changed to make one word the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
