import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const built = join(root, 'dist/page/index.html')
const lock = join(root, 'dist/page.lock')
const SOURCES = ['src/{client,protocol,surfaces,view}/**/*.{ts,tsx,css,html,svg}', 'vite.config.ts']
/** A build takes two seconds; a process that has held the lock for longer has died with it. */
const LOCK_MAX_MS = 60_000

/** The page of the present sources: built again if a source is newer, by one test only. */
export async function builtPage(): Promise<string> {
  mkdirSync(join(root, 'dist'), { recursive: true })
  for (;;) {
    if (isFresh() && !existsSync(lock)) return join(root, 'dist/page')
    if (taken()) break
    await sleep(100)
  }
  try {
    const vite = join(root, 'node_modules/vite/bin/vite.js')
    if (!isFresh()) execFileSync(process.execPath, [vite, 'build'], { cwd: root, stdio: 'pipe' })
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
  return join(root, 'dist/page')
}

function isFresh(): boolean {
  if (!existsSync(built)) return false
  const at = statSync(built).mtimeMs
  const sources = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root }))
  return sources
    .filter((path) => !path.endsWith('.test.ts'))
    .every((path) => statSync(join(root, path)).mtimeMs <= at)
}

function taken(): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    const heldMs = existsSync(lock) ? Date.now() - statSync(lock).mtimeMs : 0
    if (heldMs > LOCK_MAX_MS) rmSync(lock, { recursive: true, force: true })
    return false
  }
}
