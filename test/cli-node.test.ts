import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { describeUnless } from './support/needs.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const VIGIL = join(ROOT, 'bin/vigil.js')
const MANIFEST = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

const folder = mkdtempSync(join(tmpdir(), 'vigil-node-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))

function start(node: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(node, args, { encoding: 'utf8', cwd: folder })
  return { status, stdout, stderr }
}

/** One that knows modules as vigil.js uses them, but cannot run the sources. */
function isOld(node: string): boolean {
  const version = start(node, '-p', 'process.versions.node').stdout
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major >= 16 && (major < 22 || (major === 22 && minor < 18))
}

const OLD_NODE = (process.env.PATH ?? '')
  .split(delimiter)
  .map((directory) => join(directory, 'node'))
  .find((node) => existsSync(node) && isOld(node))

/** vigil copied without its dependencies. */
function bareCopy(): string {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  for (const path of ['bin/vigil.js', 'package.json']) cpSync(join(ROOT, path), join(folder, path))
  return join(folder, 'bin/vigil.js')
}

describeUnless(OLD_NODE ? undefined : 'no older Node is installed')('on an older Node', () => {
  const node = OLD_NODE ?? ''

  it('runs on the one the project brings along', () => {
    expect(start(node, VIGIL, '--version')).toEqual({
      status: 0,
      stdout: `${MANIFEST.version}\n`,
      stderr: '',
    })
  })

  it('ends as that one ended', () => {
    expect(start(node, VIGIL, 'dance').status).toBe(2)
  })

  it('says which one it needs where the project brings none along', () => {
    const { status, stdout, stderr } = start(node, bareCopy(), '--version')
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toMatch(
      /^vigil needs Node 22\.18 or newer; this is \d+\.\d+\.\d+\. See nodejs\.org\n$/,
    )
  })
})
