import { setTimeout as sleep } from 'node:timers/promises'
import type { StatusFigures } from '../../agents/agent.ts'
import { connect } from '../../client/client.ts'
import type { Folders } from '../../home/folders.ts'
import type { Session } from '../../protocol/session.ts'
import { plain } from '../../view/session.ts'
import { figuresOf, summaryOf } from '../../view/summary.ts'

/** The client draws its screen with or without this line. */
const FLEET_MAX_MS = 100

/** `Opus 5.5 · 23 % · ◆ 2 waiting  ► 3 working`, as far as known. */
export function shortLine({ model, contextUsedPercent: used }: StatusFigures, fleet: string) {
  const parts = [
    model && plain(model, 30),
    used === undefined ? undefined : `${Math.round(used)} % context`,
    fleet,
  ]
  return parts.filter((part) => part).join(' · ')
}

/** Figures of all sessions; empty if the daemon does not answer at once. */
export async function fleetWords(folders: Folders): Promise<string> {
  const asked = connect(folders, { silenceMaxMs: FLEET_MAX_MS })
    .sessions()
    .then(({ sessions }) => fleetFigures(sessions))
    .catch(() => '')
  return Promise.race([asked, sleep(FLEET_MAX_MS, '')])
}

/** Idle and closed sessions take no room in a line that is always visible. */
const TOLD = ['waiting', 'in error', 'stuck', 'working']

export function fleetFigures(sessions: readonly Session[]): string {
  return figuresOf(summaryOf(sessions))
    .filter(({ word, count }) => count > 0 && TOLD.includes(word))
    .map(({ glyph, count, word }) => `${glyph} ${count} ${word}`)
    .join('  ')
}
