import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { Env } from '../agents/agent.ts'
import { HAS_PROC } from './system.ts'

/** The processes whose program and environment the system shows; empty where it shows none. */
export function readablePids(): readonly number[] {
  const names = HAS_PROC ? readdirSync('/proc') : []
  return names.filter((name) => /^\d+$/.test(name)).map(Number)
}

/** The file that a process runs; undefined where the system does not show it. */
export function programOf(pid: number): string | undefined {
  if (!HAS_PROC) return undefined
  try {
    return readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '')
  } catch {
    return undefined
  }
}

export function environmentOfProcess(pid: number): Env {
  try {
    const words = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return Object.fromEntries(words.map(pairOf))
  } catch {
    return {}
  }
}

function pairOf(word: string): [string, string] {
  const at = word.indexOf('=')
  return [word.slice(0, at), word.slice(at + 1)]
}
