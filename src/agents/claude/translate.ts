import type { About, Happening, Report, Signal, Source } from '../../core/signal.ts'
import { fields } from '../read.ts'
import { aboutHook, fromHook } from './hook.ts'
import { aboutKeystroke, fromKeystroke } from './keystroke.ts'
import { aboutLoop, fromLoop } from './loop.ts'
import { aboutProcess, fromProcess } from './process.ts'
import { aboutRegistry, fromRegistry, registryTime } from './registry.ts'
import { aboutScreen, fromScreen } from './screen.ts'
import { aboutStatusline, fromStatusline } from './statusline.ts'
import { aboutTranscript, fromTranscript, transcriptTime } from './transcript.ts'

interface Translator {
  readonly about: (report: Report) => About
  readonly read: (report: Report) => readonly Happening[]
  /** When it was true, where the source knows; else its arrival. */
  readonly time?: (report: Report) => number
}

const TRANSLATORS: Readonly<Record<Source, Translator>> = {
  hook: { about: aboutHook, read: fromHook },
  transcript: { about: aboutTranscript, read: fromTranscript, time: transcriptTime },
  registry: { about: aboutRegistry, read: fromRegistry, time: registryTime },
  process: { about: aboutProcess, read: fromProcess },
  statusline: { about: aboutStatusline, read: fromStatusline },
  screen: { about: aboutScreen, read: fromScreen },
  keystroke: { about: aboutKeystroke, read: fromKeystroke },
  loop: { about: aboutLoop, read: fromLoop },
}

/**
 * What a report of Claude Code says in words that hold for every agent. All that vigil knows of
 * this agent is in this folder. Any content at all gives signals or none, never an error (SPEC
 * X1).
 */
export function translate(report: Report): readonly Signal[] {
  const { source, t } = fields(report)
  if (typeof source !== 'string' || !Number.isFinite(t)) return []
  const translator = Object.hasOwn(TRANSLATORS, source) ? TRANSLATORS[source as Source] : undefined
  const happenings = translator?.read(report) ?? []
  if (!translator || happenings.length === 0) return []
  const about = translator.about(report)
  const at = translator.time?.(report) ?? report.t
  // Each happening was made for this report alone: it becomes the signal.
  for (const happening of happenings as { -readonly [K in keyof Signal]: Signal[K] }[]) {
    happening.at = at
    happening.source = report.source
    happening.about = about
  }
  return happenings as readonly Signal[]
}
