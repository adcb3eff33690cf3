import type { About, Happening, Report, Signal, Source, Translate } from '../core/signal.ts'
import type { ScreenReading, TitleReading } from './agent.ts'
import {
  keystrokeReader,
  loopReader,
  processReader,
  screenReader,
  titleReader,
} from './observed.ts'
import { fields } from './read.ts'

/** How the reports of one source are read. */
export interface SourceReader {
  readonly about: (report: Report) => About
  readonly read: (report: Report) => readonly Happening[]
  /** When it was true, where the source knows; otherwise its arrival. */
  readonly time?: (report: Report) => number
}

export interface TranslatorParts {
  readonly id: string
  readonly recognise: (argv: readonly string[]) => unknown
  readonly folderOf?: (cwd: string) => string | undefined
  /** What a client's arguments say of the session it resumes; none where it begins a new one. */
  readonly resumedIn?: (argv: readonly string[]) => { readonly session?: string } | undefined
  /** Whether a client with these arguments works from its start on. */
  readonly startsTurn?: (argv: readonly string[]) => boolean
  readonly readScreen?: (text: string) => ScreenReading
  readonly readTitle?: (title: string) => TitleReading | undefined
  /** Sources of the agent itself; vigil's own observations are read alike for every agent. */
  readonly own: Readonly<Partial<Record<Source, SourceReader>>>
}

/**
 * Translates a report into signals that hold for every agent. Any content gives signals or none,
 * never an error (SPEC X1).
 */
export function translatorOf(parts: TranslatorParts): Translate {
  const readers: Readonly<Partial<Record<Source, SourceReader>>> = {
    process: processReader(parts),
    keystroke: keystrokeReader(parts),
    loop: loopReader(parts),
    ...(parts.readScreen && { screen: screenReader(parts.id, parts.readScreen) }),
    ...(parts.readTitle && { title: titleReader(parts.id, parts.readTitle) }),
    ...parts.own,
  }
  return (report) => {
    const { source, t } = fields(report)
    if (typeof source !== 'string' || !Number.isFinite(t)) return []
    const reader = Object.hasOwn(readers, source) ? readers[source as Source] : undefined
    const happenings = reader?.read(report) ?? []
    if (!reader || happenings.length === 0) return []
    const about = reader.about(report)
    const at = reader.time?.(report) ?? report.t
    // Each happening was made for this report alone, so it becomes the signal in place.
    for (const happening of happenings as { -readonly [K in keyof Signal]: Signal[K] }[]) {
      happening.at = at
      happening.source = report.source
      happening.about = about
    }
    return happenings as readonly Signal[]
  }
}
