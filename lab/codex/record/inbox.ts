import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordedLine } from '../../../src/agents/truth-reader.ts'
import type { Place } from '../../drive/place.ts'
import { namesIn } from '../../record/recorder.ts'
import { inboxOf } from '../drive/hooks.ts'
import { keptOfHook } from './keep.ts'

/** What the recorder's hook wrote; a file is complete with a dot on a line of its own. */
export class CodexInbox {
  readonly #folder: string

  constructor(place: Place) {
    this.#folder = inboxOf(place)
  }

  look(): RecordedLine[] {
    return namesIn(this.#folder).flatMap((name) => this.#take(join(this.#folder, name)))
  }

  #take(path: string): RecordedLine[] {
    const text = readFileSync(path, 'utf8')
    if (!text.endsWith('\n.\n')) return []
    const t = Math.round(statSync(path).mtimeMs)
    rmSync(path)
    const head = text.slice(0, text.indexOf('\n'))
    const [ppid, tmuxPane] = head.split(' ')
    const payload = keptOfHook(JSON.parse(text.slice(head.length + 1, -3)))
    return [
      { t, source: 'hook', env: { ppid: Number(ppid), ...(tmuxPane && { tmuxPane }) }, payload },
    ]
  }
}
