import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { renderHook } from '../../src/install/scripts.ts'

export interface InstalledHook {
  readonly hook: string
  readonly spool: string
  readonly run: string
}

const vigil = fileURLToPath(new URL('../../bin/vigil.js', import.meta.url))

/** An installed hook beside a living daemon, which this process stands for. */
export function installedHook(root: string): InstalledHook {
  const [spool, run, hook] = [join(root, 'spool'), join(root, 'run'), join(root, 'vigil-hook')]
  mkdirSync(spool, { recursive: true, mode: 0o700 })
  standForDaemon(run)
  const start = { node: process.execPath, vigil }
  writeFileSync(hook, renderHook({ spool, run, ...start }), { mode: 0o700 })
  return { hook, spool, run }
}

/** This process counts as the daemon, so that no hook starts one. */
export function standForDaemon(run: string): void {
  mkdirSync(run, { recursive: true, mode: 0o700 })
  writeFileSync(join(run, 'daemon.pid'), `${process.pid} ${ownStart()}\n`)
}

function ownStart(): string {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-'
  } catch {
    return '-'
  }
}

/** Every run must have left its report: a hook that does nothing would be the fastest. */
export function emptied(spool: string, expected: number): void {
  const files = readdirSync(spool)
  const complete = files.filter((name) => readFileSync(join(spool, name), 'utf8').endsWith('\n.\n'))
  for (const name of files) rmSync(join(spool, name))
  if (complete.length !== expected)
    throw new Error(`spool: expected ${expected} complete files, found ${complete.length}`)
}
