import type { Mark } from '../facts.ts'
import { SOURCES, type Source } from '../signal.ts'

const weight: Readonly<Record<Source, number>> = Object.fromEntries(
  SOURCES.map((source, index) => [source, SOURCES.length - index]),
) as Record<Source, number>

/**
 * SPEC O1. The newer of two marks. Two sources can stamp the same millisecond, and their order of
 * arrival is chance, so the weightier source wins. Within one source the later arrival wins.
 */
export function newest<M extends Mark>(held: M | undefined, reported: M): M {
  if (!held || reported.at > held.at) return reported
  if (reported.at < held.at) return held
  return weight[reported.source] >= weight[held.source] ? reported : held
}

export function latest(held: number | undefined, reported: number | undefined): number | undefined {
  if (held === undefined) return reported
  if (reported === undefined) return held
  return Math.max(held, reported)
}

export function earliest(
  held: number | undefined,
  reported: number | undefined,
): number | undefined {
  if (held === undefined) return reported
  if (reported === undefined) return held
  return Math.min(held, reported)
}

/** Replaces the entry that `same` finds by `merge(entry)`, or adds `merge(undefined)`. */
export function upsert<T>(
  list: readonly T[],
  same: (entry: T) => boolean,
  merge: (entry: T | undefined) => T,
): T[] {
  const index = list.findIndex(same)
  if (index < 0) return [...list, merge(undefined)]
  const copy = list.slice()
  copy[index] = merge(list[index])
  return copy
}

/** SPEC F1. Beyond `max` the least important entry goes: finished before open, then oldest. */
export function bounded<T>(
  list: T[],
  max: number,
  age: (entry: T) => [open: boolean, at: number],
): T[] {
  if (list.length <= max) return list
  let worst = 0
  for (let i = 1; i < list.length; i++) {
    const [open, at] = age(list[i] as T)
    const [worstOpen, worstAt] = age(list[worst] as T)
    if (open === worstOpen ? at < worstAt : worstOpen) worst = i
  }
  list.splice(worst, 1)
  return list
}
