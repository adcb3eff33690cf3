import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packCode } from '../../tools/pack-code.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The packaged files, without the page. A checkout would also load what strips types. */
export async function packageFolder(): Promise<string> {
  execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-b'], { cwd: ROOT, stdio: 'ignore' })
  const folder = mkdtempSync(join(tmpdir(), 'vigil-built-'))
  mkdirSync(join(folder, 'dist'))
  for (const name of ['bin', 'dist', 'hook', 'plugin', 'package.json'])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await packCode(folder)
  return folder
}
