import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../client/client.ts'
import type { Folders } from '../../home/folders.ts'
import type { Session } from '../../protocol/session.ts'
import { plain } from '../../view/session.ts'
import { figuresOf, summaryOf } from '../../view/summary.ts'

/** The client draws its screen with this line or without it. */
const FLEET_MAX_MS = 100

/** `Opus 5.5 · 23 % · ⏸ 2 waiting  ⚙ 3 working`, as far as it is known. */
export function shortLine(payload: Buffer, fleet: string): string {
  const { model, context_window: context } = fieldsOf(payload)
  const name = text(fields(model).display_name) ?? text(fields(model).id)
  const used = usedPercent(fields(context))
  const parts = [
    name && plain(name, 30),
    used === undefined ? undefined : `${Math.round(used)} % context`,
    fleet,
  ]
  return parts.filter((part) => part).join(' · ')
}

/** What all sessions do, in figures; nothing where the daemon does not say so at once. */
export async function fleetWords(folders: Folders): Promise<string> {
  const asked = connect(folders, { silenceMaxMs: FLEET_MAX_MS })
    .sessions()
    .then(({ sessions }) => fleetFigures(sessions))
    .catch(() => '')
  return Promise.race([asked, sleep(FLEET_MAX_MS, '')])
}

/** Who is idle or closed needs no room in a line that is always there. */
const TOLD = ['waiting', 'in error', 'stuck', 'working']

export function fleetFigures(sessions: readonly Session[]): string {
  return figuresOf(summaryOf(sessions))
    .filter(({ word, count }) => count > 0 && TOLD.includes(word))
    .map(({ glyph, count, word }) => `${glyph} ${count} ${word}`)
    .join('  ')
}

function usedPercent(context: Fields): number | undefined {
  const { remaining_percentage: left, used_percentage: used } = context
  if (typeof used === 'number') return used
  return typeof left === 'number' ? 100 - left : undefined
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(payload: Buffer): Fields {
  try {
    return fields(JSON.parse(payload.toString()))
  } catch {
    return {}
  }
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
