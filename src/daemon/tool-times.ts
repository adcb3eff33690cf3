import type { Facts } from '../core/facts.ts'
import type { Doing } from '../core/verdict.ts'

/** Per tool and folder: enough recent calls to know what is usual. */
const KEPT_MAX = 50
/** Fewer prove nothing: the first test run of a day is not yet unusual. */
const KNOWN_MIN = 5
const TABLES_MAX = 1_000

/**
 * SPEC VW30. How long tools take, by agent, folder and name: the median of the last calls with a
 * known start and end. In memory: a daemon that starts knows the calls of open sessions.
 */
export class ToolTimes {
  /** By the id of the call, so that a repeated report counts once. */
  readonly #tables = new Map<string, Map<string, number>>()

  /**
   * For the running tool; undefined where too few calls are known. Records calls that have ended.
   */
  usualMs(facts: Facts, doing: Doing | undefined): number | undefined {
    for (const { id, name, startedAt, endedAt } of facts.tools)
      if (startedAt !== undefined && endedAt !== undefined)
        this.#note(keyOf(facts, name), id, endedAt - startedAt)
    if (doing?.tool === undefined) return undefined
    const known = [...(this.#tables.get(keyOf(facts, doing.tool))?.values() ?? [])]
    if (known.length < KNOWN_MIN) return undefined
    return known.toSorted((a, b) => a - b)[Math.floor(known.length / 2)]
  }

  #note(key: string, call: string, ms: number): void {
    const table = this.#tables.get(key) ?? new Map<string, number>()
    if (!this.#tables.has(key)) dropOldest(this.#tables.set(key, table), TABLES_MAX)
    if (!table.has(call)) dropOldest(table.set(call, Math.max(0, ms)), KEPT_MAX)
  }
}

function keyOf({ agent, details }: Facts, tool: string): string {
  return [agent, details.cwd ?? '', tool].join('\0')
}

function dropOldest(map: Map<string, unknown>, max: number): void {
  const [oldest] = map.keys()
  if (map.size > max && oldest !== undefined) map.delete(oldest)
}
