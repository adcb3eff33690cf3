import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { foldersOf } from '../../src/home/folders.ts'
import { refreshHooks } from '../../src/install/refresh.ts'
import { type ClaudeInstall, installClaude, uninstallClaude } from '../support/install.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const OWN = '{\n  "enabledPlugins": {"a@b": true},\n  "model": "opus"\n}\n'

let top: string
const folders = () => foldersOf({ VIGIL_HOME: join(top, "it's vigil") })
const config = () => join(top, 'config')
const settings = () => join(config(), 'settings.json')
const read = (path = settings()) => readFileSync(path, 'utf8')
const copy = (...path: string[]) => join(folders().data, 'plugin', ...path)

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'vigil-plugin-'))
  mkdirSync(config())
  writeFileSync(settings(), OWN)
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

function put(options: Partial<ClaudeInstall> = {}) {
  const all = { folders: folders(), configDirs: [config()], node: '/bin/sh', vigil: '/v.js' }
  return installClaude({ ...all, version: '2.1.325', ...options })
}

const take = () => uninstallClaude(folders(), [])
const plugged = () => JSON.parse(read()).enabledPlugins

describe('the plugin, installed', () => {
  it('[LP41] is a copy that settings name, and goes with uninstall', () => {
    put({ plugin: true })
    const { extraKnownMarketplaces } = JSON.parse(read())
    expect(extraKnownMarketplaces.vigil.source).toEqual({ source: 'directory', path: copy() })
    expect(plugged()).toEqual({ 'a@b': true, 'vigil@vigil': true })
    expect(readdirSync(copy('commands')).toSorted()).toEqual(['loop.md', 'status.md', 'stop.md'])
    expect(statSync(copy('scripts/vigil-loop')).mode & 0o777).toBe(0o700)
    take()
    expect(read()).toBe(OWN)
    expect(existsSync(copy())).toBe(false)
  })

  it('[LP41] runs the vigil that installed it, with its folders, from anywhere', () => {
    const vigil = join(top, 'vigil.sh')
    writeFileSync(vigil, 'echo "$VIGIL_HOME|$*"\n')
    put({ plugin: true, vigil })
    const options = { encoding: 'utf8', cwd: '/', env: { PATH: '/usr/bin:/bin' } } as const
    const said = execFileSync(copy('scripts/vigil-loop'), ['stop'], options)
    expect(said).toBe(`${folders().data}|loop stop\n`)
  })

  it('[PF5] runs no program of the agent’s PATH', () => {
    const vigil = join(top, 'vigil.sh')
    writeFileSync(vigil, 'echo mine\n')
    put({ plugin: true, vigil })
    const env = { PATH: join(top, 'bin') }
    mkdirSync(env.PATH)
    for (const name of ['vigil', 'env', 'node', 'sh', 'dirname'])
      writeFileSync(join(env.PATH, name), '#!/bin/sh\necho theirs\n', { mode: 0o755 })
    const run = () =>
      execFileSync(copy('scripts/vigil-loop'), ['stop'], { encoding: 'utf8', env, stdio: 'pipe' })
    expect(run()).toBe('mine\n')
    rmSync(copy('scripts/vigil'))
    expect(run).toThrow(/not installed here: vigil install --plugin/)
  })

  it('[LP41] comes and goes only when asked for', () => {
    put()
    expect([plugged(), existsSync(copy())]).toEqual([{ 'a@b': true }, false])
    put({ plugin: true })
    expect(put().outcomes[0]?.changed).toBe(false)
    put({ version: '2.1.220' })
    expect([plugged()['vigil@vigil'], existsSync(copy())]).toEqual([true, true])
    put({ plugin: false })
    expect([plugged(), existsSync(copy())]).toEqual([{ 'a@b': true }, false])
    take()
    expect(read()).toBe(OWN)
  })

  it('[LP41] switched off by its user it stays off until it is asked for', () => {
    put({ plugin: true })
    writeFileSync(settings(), read().replace('"vigil@vigil": true', '"vigil@vigil": false'))
    writeFileSync(settings(), read().replace('"vigil@vigil":true', '"vigil@vigil":false'))
    const [again] = put({ version: '2.1.220' }).outcomes
    expect(plugged()['vigil@vigil']).toBe(false)
    expect(again?.warnings).toContainEqual(expect.stringMatching(/switched the plugin off/))
    put({ plugin: true })
    expect(plugged()['vigil@vigil']).toBe(true)
  })

  it('[LP41] a client too old for its commands is named', () => {
    const warnings = (version: string) => put({ plugin: true, version }).outcomes[0]?.warnings
    expect(warnings('2.0.50')).toContainEqual(expect.stringMatching(/2\.0\.50 does not run/))
    expect(warnings('2.1.100')).toEqual([])
  })

  it('[LP41][I14] is renewed with the hooks, and what is no part of it any more goes', () => {
    put({ plugin: true })
    writeFileSync(copy('commands/old.md'), '')
    refreshHooks(folders(), { node: '/new/node', vigil: '/new/vigil.js' })
    expect(read(copy('scripts/vigil'))).toContain("exec '/new/node' '/new/vigil.js'")
    expect(existsSync(copy('commands/old.md'))).toBe(false)
  })

  it('[LP41] what the client has noted of it is forgotten, and nothing else', () => {
    put({ plugin: true })
    const plugins = join(config(), 'plugins')
    mkdirSync(join(plugins, 'cache/vigil/vigil/1'), { recursive: true })
    mkdirSync(join(plugins, 'cache/other'))
    const noted = (path: string) => ({
      source: { source: 'directory', path },
      installLocation: path,
    })
    const known = { other: noted('/other'), vigil: noted(copy()) }
    writeFileSync(join(plugins, 'known_marketplaces.json'), JSON.stringify(known, null, 2))
    const list = { version: 1, plugins: { 'a@b': {}, 'vigil@vigil': { installPath: copy() } } }
    writeFileSync(join(plugins, 'installed_plugins.json'), JSON.stringify(list, null, 2))
    take()
    const at = (name: string) => JSON.parse(read(join(plugins, name)))
    expect(at('known_marketplaces.json')).toEqual({ other: known.other })
    expect(at('installed_plugins.json')).toEqual({ version: 1, plugins: { 'a@b': {} } })
    expect(readdirSync(join(plugins, 'cache'))).toEqual(['other'])
  })

  it('[LP41] a plugin of that name from elsewhere is left alone', () => {
    const plugins = join(config(), 'plugins')
    mkdirSync(join(plugins, 'cache/vigil'), { recursive: true })
    const known = '{"vigil": {"installLocation": "/mine"}}'
    writeFileSync(join(plugins, 'known_marketplaces.json'), known)
    put()
    take()
    expect(read(join(plugins, 'known_marketplaces.json'))).toBe(known)
    expect(readdirSync(join(plugins, 'cache'))).toEqual(['vigil'])
  })
})

describe('the plugin itself', () => {
  const json = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

  it('[LP42] has vigil’s version, and is named as settings name it', () => {
    const { name, version } = json('plugin/.claude-plugin/plugin.json')
    expect({ name, version }).toEqual({ name: 'vigil', version: json('package.json').version })
    expect(json('plugin/.claude-plugin/marketplace.json')).toMatchObject({
      name: 'vigil',
      plugins: [{ name: 'vigil', source: './' }],
    })
    expect(json('package.json').files).toContain('plugin')
  })

  it('[LP42] has no hooks: those in the settings would run beside them', () => {
    expect(readdirSync(join(root, 'plugin')).toSorted()).toEqual([
      '.claude-plugin',
      'README.md',
      'commands',
      'scripts',
    ])
    expect(json('plugin/.claude-plugin/plugin.json')).not.toHaveProperty('hooks')
  })
})
