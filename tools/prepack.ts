/**
 * `npm pack` and `npm publish`: builds all packaged files from scratch, because `dist/` may contain
 * files of sources that no longer exist.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { manPage } from './man-page.ts'
import { packCode } from './pack-code.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const start = promisify(execFile)
const run = (program: string, ...args: string[]) =>
  start(`${root}node_modules/.bin/${program}`, args, { cwd: root })

rmSync(`${root}dist`, { recursive: true, force: true })
await Promise.all([run('tsc', '-b'), run('vite', 'build'), import('./sbom.ts')])
await packCode(root)
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
mkdirSync(`${root}dist/man`, { recursive: true })
writeFileSync(`${root}dist/man/vigil.1`, await manPage(version))
