import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { NEWEST } from '../../lab/clients.ts'
import { makePlace } from '../../lab/drive/place.ts'
import { startModel } from '../../lab/model/server.ts'
import { type HookEvent, handlerFor, wantedEvents } from '../../src/agents/claude/events.ts'
import { installedHook } from './installed.ts'
import { takeTurns } from './rounds.ts'
import { benchClient, playTurn, reading } from './turn.ts'

const ROUNDS = 9

/** A turn without vigil, with the events that it needs, and with all that the client knows. */
export async function eventSets(root: string) {
  const client = benchClient()
  const place = makePlace()
  const model = await startModel(reading(place))
  const { hook, spool } = installedHook(root)
  const sets: Record<string, readonly HookEvent[]> = {
    none: [],
    short: wantedEvents(NEWEST),
    all: wantedEvents(NEWEST, true),
  }
  const kinds = Object.keys(sets)
  const runs: Record<string, number[]> = Object.fromEntries(kinds.map((kind) => [kind, []]))
  const hooks: Record<string, number> = {}
  try {
    const turns = await takeTurns(kinds, ROUNDS, async (kind) => {
      const entries = (sets[kind] ?? []).map((event) => {
        return [event, [{ hooks: [handlerFor(event, hook, NEWEST)] }]]
      })
      const played = await playTurn({ client, place, model, hooks: Object.fromEntries(entries) })
      runs[kind]?.push(played.runMs)
      hooks[kind] = reportsLeft(spool, kind)
      return played.turnMs
    })
    return { rounds: ROUNDS, turns, runs, hooks }
  } finally {
    await model.stop()
    rmSync(place.root, { recursive: true, force: true })
  }
}

/** A set whose hooks do nothing would be the cheapest. */
export function reportsLeft(spool: string, kind: string): number {
  const names = existsSync(spool) ? readdirSync(spool) : []
  for (const name of names) rmSync(join(spool, name))
  if (names.length > 0 !== (kind !== 'none'))
    throw new Error(`${kind}: ${names.length} hooks have run`)
  return names.length
}
