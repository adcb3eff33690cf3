import { mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { knownEvents } from '../../src/agents/claude/events.ts'
import type { RecordedLine } from '../../src/agents/truth-reader.ts'
import type { Place } from '../drive/place.ts'
import { keptOfPayload, keptOfStatusline } from './keep.ts'
import { namesIn } from './recorder.ts'

/** Where the recorder's own hook and status line put the client's data. */
function inboxOf(place: Place): string {
  return join(place.root, 'inbox')
}

/**
 * Settings that make a client of this version report everything to the recorder. The client waits
 * for the hook: an ending client kills hooks that run beside it. It draws a status line too,
 * because a screen without one would show less than a user's.
 */
export function recordingSettings(place: Place, version: string): object {
  mkdirSync(inboxOf(place), { recursive: true })
  const to = (name: string) => `> '${inboxOf(place)}/${name}'`
  const told = '{ echo "$PPID $CLAUDE_PID $TMUX_PANE"; cat; echo; echo .; }'
  const command = `${told} ${to('hook.')}$$`
  const entry = [{ hooks: [{ type: 'command', command }] }]
  const status = `{ echo; cat; echo; echo .; } ${to('status.')}$$; echo recorded`
  return {
    hooks: Object.fromEntries(knownEvents(version).map((event) => [event, entry])),
    statusLine: { type: 'command', command: status },
  }
}

/**
 * A file is complete once it ends with a dot on a line of its own; its time is that of its arrival.
 */
export class Inbox {
  readonly #folder: string

  constructor(place: Place) {
    this.#folder = inboxOf(place)
  }

  look(): RecordedLine[] {
    return namesIn(this.#folder).flatMap((name) => this.#take(name))
  }

  #take(name: string): RecordedLine[] {
    const path = join(this.#folder, name)
    const text = readFileSync(path, 'utf8')
    if (!text.endsWith('\n.\n')) return []
    const t = Math.round(statSync(path).mtimeMs)
    rmSync(path)
    const head = text.slice(0, text.indexOf('\n'))
    const payload = JSON.parse(text.slice(head.length + 1, -3))
    if (name.startsWith('status.'))
      return [{ t, source: 'statusline', payload: keptOfStatusline(payload) }]
    return [{ t, source: 'hook', env: envOf(head), payload: keptOfPayload(payload) }]
  }
}

/** Older clients give no pid of their own. */
function envOf(head: string) {
  const [ppid, claudePid, tmuxPane] = head.split(' ')
  return {
    ppid: Number(ppid),
    ...(claudePid && { claudePid: Number(claudePid) }),
    ...(tmuxPane && { tmuxPane }),
  }
}
