import { spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { foldersOf } from '../../src/home/folders.ts'
import { until } from '../support/daemon.ts'
import { Registry } from './registry.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const SKIPPED = /^(node_modules|dist|\.git|\.cache|coverage|test\/(?!support))(\/|$)/

const top = mkdtempSync(join(tmpdir(), 'vigil-package-'))
const prefix = join(top, 'prefix')
const home = join(top, 'home')
const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`
const env = { PATH, HOME: home, VIGIL_HOME: join(top, 'vigil'), NO_UPDATE_NOTIFIER: '1' }

let packed: { readonly filename: string; readonly files: readonly { readonly path: string }[] }
let packSaid: string
let registry: Registry
let url: string

/** A fresh checkout: the build that is packed must not disturb tests that use this one. */
beforeAll(async () => {
  const copy = join(top, 'checkout')
  const filter = (path: string) => !SKIPPED.test(relative(ROOT, path))
  cpSync(ROOT, copy, { recursive: true, filter })
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  mkdirSync(home)
  const { stdout, stderr, status } = spawnSync('npm', ['pack', '--json', '--offline'], {
    cwd: copy,
    env,
    encoding: 'utf8',
  })
  packSaid = stderr
  expect([status, stderr]).toEqual([0, expect.any(String)])
  packed = JSON.parse(stdout.slice(stdout.indexOf('[')))[0]
  registry = new Registry(ROOT, join(copy, packed.filename))
  url = await registry.start()
}, 300_000)
afterAll(() => {
  registry?.stop()
  rmSync(top, { recursive: true, force: true, maxRetries: 10 })
})

/** Does not block the registry, which is of this process. */
function run(program: string, args: readonly string[]): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env, cwd: home, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        said += chunk
      })
    child.on('close', (code) => resolve({ code: code ?? -1, said }))
  })
}

const npm = (...args: string[]) =>
  run('npm', [...args, '--registry', url, '--prefix', prefix, '--no-audit', '--no-fund'])
const vigil = (...args: string[]) => run(join(prefix, 'bin/vigil'), args)

describe('the package', () => {
  const paths = () => packed.files.map(({ path }) => path)

  it('[I18] holds what runs and nothing of how it was built', () => {
    expect(paths().filter((path) => /\.tsbuildinfo$|\.d\.ts$|\.test\./.test(path))).toEqual([])
    expect(paths().filter((path) => /^(src|test|bench|node_modules)\//.test(path))).toEqual([])
    expect(paths()).toEqual(expect.arrayContaining(['bin/vigil.js', 'dist/page/index.html']))
    expect(packSaid).not.toMatch(/warn|\(!\)/i)
  })

  it('[LI9] holds the used parts of zod, with one language of its messages', () => {
    const languages = paths().filter((path) => path.includes('/locales/'))
    expect(languages).toEqual(['dist/packages/zod/v4/locales/en.js'])
  })

  it('[I18] holds every picture and page that README and the pages beside it name', () => {
    const missing = paths()
      .filter((path) => path.endsWith('.md') && !path.startsWith('plugin/'))
      .flatMap((path) => {
        const text = readFileSync(join(ROOT, path), 'utf8')
        const links = [...text.matchAll(/(?:\]\(|src="|srcset=")([^)"#:]+)(?:#[^)]*)?[)"]/g)]
        return links.map(([, to = '']) => join(dirname(path), to))
      })
      .filter((path) => !paths().includes(path) && !isOfSources(path))
    expect(missing).toEqual([])
    expect(paths()).toEqual(expect.arrayContaining(['docs/pictures/page-light.png', 'SECURITY.md']))
  })

  it('[I19][LI9] is installed into an empty prefix and works, with its manual', async () => {
    const { code, said } = await npm('install', '-g', 'agent-vigil')
    expect([code, said]).toEqual([0, expect.stringMatching(/added \d+ packages/)])
    expect(said).not.toMatch(/warn|deprecated/i)
    expect((await vigil('--version')).said).toBe(`${version()}\n`)
    const demo = await vigil('demo')
    expect([demo.code, demo.said]).toEqual([0, expect.stringContaining('idle after work')])
    expect(readFileSync(join(prefix, 'share/man/man1/vigil.1'), 'utf8')).toContain('.TH VIGIL 1')
    const doctor = await vigil('doctor', '--json')
    const findings = JSON.parse(doctor.said).findings as { about: string; level: string }[]
    expect(findings.filter(({ level }) => level === 'problem')).toEqual([])
    expect(findings.find(({ about }) => about === 'page')?.level).toBe('ok')
    await vigil('stop')
    await daemonWithoutCache()
    expect((await vigil('uninstall')).said).toMatch(/: npm uninstall -g agent-vigil\n$/)
    expect((await npm('uninstall', '-g', 'agent-vigil')).code).toBe(0)
    expect(existsSync(join(prefix, 'bin/vigil'))).toBe(false)
  }, 180_000)

  it('[I19] is tried without installing it', async () => {
    const { code, said } = await run('npx', ['--registry', url, '--yes', 'agent-vigil', 'demo'])
    expect([code, said]).toEqual([0, expect.stringContaining('idle after work')])
    expect(registry.asked).toContain('agent-vigil')
  }, 180_000)
})

/** SPEC LI9. What a process reads from the cache of compiled code it keeps. */
async function daemonWithoutCache(): Promise<void> {
  const cache = join(env.VIGIL_HOME, 'cache/code')
  rmSync(cache, { recursive: true })
  const daemon = vigil('daemon', '--quiet')
  await until('the daemon', () => existsSync(foldersOf(env).daemonFile))
  expect(existsSync(cache)).toBe(false)
  await vigil('stop')
  await daemon
  expect(existsSync(cache)).toBe(true)
}

function version(): string {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version
}

/** Pages for contributors link to sources, which a checkout has. */
function isOfSources(path: string): boolean {
  const place = join(ROOT, path)
  return (
    existsSync(place) &&
    (statSync(place).isDirectory()
      ? readdirSync(place).length > 0
      : /^(src|test|lab|bench|tools|hook)\//.test(path))
  )
}
