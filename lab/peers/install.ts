import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Installs a package by the lock file in `locks`, without its optional parts, which are programs
 * for one platform each.
 */
export async function install(locks: string, place: string): Promise<void> {
  process.stderr.write(`${basename(place)}: installing …\n`)
  mkdirSync(dirname(place), { recursive: true })
  // Built aside and renamed: an interrupted install must not pass for a complete one.
  const aside = mkdtempSync(join(dirname(place), `.${basename(place)}-`))
  try {
    cpSync(locks, aside, { recursive: true })
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
    const once = ['--fetch-retries=0', '--fetch-timeout=60000']
    const args = ['install', '--no-save', '--omit=optional', '--ignore-scripts', ...quiet, ...once]
    await run('npm', [...args, '--prefix', aside], { cwd: aside })
    if (!existsSync(place)) renameSync(aside, place)
  } catch (error) {
    throw new Error(`npm could not install it: ${errorLine(error)}`)
  } finally {
    rmSync(aside, { recursive: true, force: true })
  }
}

function errorLine(error: unknown): string {
  const { stderr = '', message } = error as { stderr?: string; message: string }
  const said = stderr.split('\n').find((line) => line.startsWith('npm error '))
  return said?.slice('npm error '.length) ?? message
}
