import type { EmptyContainers } from '../../../edit/json-hooks.ts'
import { fields, list, textIn } from '../../read.ts'
import type { HomeContext, SetupMemory } from '../../setup.ts'
import { HOOKED_EVENTS, trustedText } from '../events.ts'

export const HOOKS_FILE = 'hooks.json'
export const CONFIG_FILE = 'config.toml'

/** What install did to the two files, so that it can be undone. */
interface CodexUndo {
  readonly hollow: EmptyContainers
  /** What precedes the marks in config.toml. */
  readonly lead: string
  /** The marks of hooks as install wrote them. */
  readonly hashes: readonly string[]
}

export function undoIn(memory: SetupMemory | undefined): CodexUndo {
  const { hollow, lead, hashes } = fields(memory)
  const inner = Object.entries(fields(hollow)).filter(([, text]) => typeof text === 'string')
  return {
    hollow: Object.fromEntries(inner) as EmptyContainers,
    lead: textIn(lead) ?? '',
    hashes: list(hashes).flatMap((hash) => textIn(hash) ?? []),
  }
}

/** By the hook that is installed now and by earlier ones. */
export function ownHashes({ memory, own, sha256 }: HomeContext): ReadonlySet<string> {
  const present = [own.hook, ...own.earlier].flatMap((hook) =>
    HOOKED_EVENTS.map((event) => markOf(trustedText(event, hook), sha256)),
  )
  return new Set([...undoIn(memory).hashes, ...present])
}

export function markOf(text: string, sha256: HomeContext['sha256']): string {
  return `sha256:${sha256(text)}`
}
