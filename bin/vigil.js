#!/usr/bin/env node
// Runs on any Node that has modules: an old one looks for the project's own Node, or says what it
// needs.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const NEEDED = [22, 18]
const root = dirname(dirname(fileURLToPath(import.meta.url)))

const [major, minor] = process.versions.node.split('.').map(Number)
if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) run()
else runOnOwnNode()

function run() {
  // A checkout runs its sources; the published package contains the built files.
  const source = join(root, 'src/app/main.ts')
  const built = join(root, 'dist/app/main.js')
  const isPackage = !existsSync(source)
  const isDaemon = process.argv[2] === 'daemon'
  if (isDaemon) saveMemory()
  // SPEC LI9. A process keeps in memory what it has read from the cache, 4 MB of a daemon.
  if (!isDaemon || !isPackage) enableCodeCache()
  import(pathToFileURL(isPackage ? built : source).href)
}

/**
 * Parsing the sources takes longer than running them: with the cache `vigil status` is three times
 * as fast.
 */
function enableCodeCache() {
  const cache = join(cacheFolder(), 'code')
  try {
    mkdirSync(cache, { recursive: true, mode: 0o700 })
    module.enableCompileCache?.(cache)
  } catch {
    // If the home cannot be written, it only costs time.
  }
}

/**
 * SPEC LI9. A daemon is idle most of the time. The larger of V8's two compilers has 5 MB resident
 * once it has run, and what both make of a few busy moments has 7 MB. So only code that stays hot
 * is compiled, by the smaller one. At 5,000 reports a second the daemon is no slower by it. A Node
 * that does not know one of these flags goes on without it.
 */
function saveMemory() {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8')
  setFlagsFromString('--no-turbofan')
  setFlagsFromString('--invocation-count-for-maglev=3000')
  setFlagsFromString('--invocation-count-for-maglev-osr=750')
  setFlagsFromString('--invocation-count-for-osr=3000')
  // Garbage of a busy minute stays until the next collection, which an idle daemon never makes.
  setFlagsFromString('--heap-growing-percent=70')
}

function runOnOwnNode() {
  const node = join(root, 'node_modules/.bin/node')
  if (!existsSync(node)) {
    const need = NEEDED.join('.')
    process.stderr.write(
      `vigil needs Node ${need} or newer; this is ${process.versions.node}. See nodejs.org\n`,
    )
    process.exit(1)
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      // The terminal has sent Ctrl-C to the child as well.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  child.on('exit', (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
    }
    process.exit(code ?? 1)
  })
}

/** As in src/home/folders.ts; this file runs before any other can. */
function cacheFolder() {
  const { VIGIL_HOME, XDG_CACHE_HOME, HOME } = process.env
  if (VIGIL_HOME) return join(resolve(VIGIL_HOME), 'cache')
  const cache = XDG_CACHE_HOME?.startsWith('/') ? XDG_CACHE_HOME : join(HOME || homedir(), '.cache')
  return join(cache, 'vigil')
}
