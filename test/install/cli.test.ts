import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CODE_CACHE } from '../support/code-cache.ts'

const VIGIL = fileURLToPath(new URL('../../bin/vigil.js', import.meta.url))

let top: string
const settings = () => join(top, '.claude', 'settings.json')
const read = () => readFileSync(settings(), 'utf8')
/** Without what Node keeps of compiled code. */
const written = () => {
  const home = join(top, 'vigil')
  return existsSync(home) ? readdirSync(home).filter((name) => name !== 'cache') : []
}
const OWN = '{\n  "model": "opus"\n}\n'

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'vigil-install-cli-'))
  mkdirSync(join(top, '.claude'))
  mkdirSync(join(top, 'bin'))
  writeFileSync(settings(), OWN)
  writeFileSync(join(top, 'bin/claude'), '#!/bin/sh\necho "2.1.100 (Claude Code)"\n')
  chmodSync(join(top, 'bin/claude'), 0o755)
})
afterEach(() => rmSync(top, { recursive: true, force: true, maxRetries: 10 }))

function vigil(args: string, env: Record<string, string> = {}) {
  const path = `${join(top, 'bin')}:/usr/bin:/bin`
  const all = { HOME: top, VIGIL_HOME: join(top, 'vigil'), PATH: path, ...CODE_CACHE, ...env }
  const words = args.split(' ')
  return spawnSync(process.execPath, [VIGIL, ...words], { encoding: 'utf8', env: all, cwd: top })
}

describe('vigil install and uninstall', () => {
  it('[I4][I21] say what was written where, and where the file from before is', () => {
    const { status, stdout, stderr } = vigil('install')
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain(`Claude Code 2.1.100 (${join(top, 'bin/claude')}): 22 hook events`)
    expect(stdout).toContain(`${settings()}: hooks added\n`)
    const backup = /backup: (.*)\n/.exec(stdout)?.[1] ?? ''
    expect(readFileSync(backup, 'utf8')).toBe(OWN)
    expect(vigil('install').stdout).toContain(`${settings()}: hooks are up to date`)
    expect(vigil('uninstall').stdout).toContain(`${settings()}: hooks removed\n`)
    expect(read()).toBe(OWN)
    const again = vigil('uninstall').stdout
    expect(again).toContain(`${settings()}: no hooks of vigil in it`)
    expect(again).toMatch(/Not removed:\n.*: vigil stop; rm -r \S+\/vigil\n$/)
  })

  it('[I4] --dry-run shows a diff that gives just what install writes', () => {
    const { stdout } = vigil('install --dry-run')
    expect(stdout).toMatch(/^-{3} .*\n\+{3} .*\n@@ -1,3 \+1,\d+ @@\n \{\n-.*opus"\n\+.*opus",\n/m)
    expect(read()).toBe(OWN)
    expect(written()).toEqual([])
    const added = stdout.split('\n').filter((line) => line.startsWith('+  '))
    vigil('install')
    for (const line of added) expect(read()).toContain(line.slice(1))
    expect(vigil('uninstall --dry-run').stdout).toMatch(/^- {2}"hooks": \{$/m)
    expect(read()).toContain('vigil-hook')
  })

  it('[I4] --json is for scripts', () => {
    const said = JSON.parse(vigil('install --json').stdout)
    const [agent] = said.agents
    expect(said.dryRun).toBe(false)
    expect(agent).toMatchObject({ agent: 'claude', client: { version: '2.1.100' }, options: [] })
    expect(agent.events).toHaveLength(22)
    const file = { agent: 'claude', settings: settings(), changed: true }
    expect(said.files).toMatchObject([{ ...file, file: 'present' }])
    const { files } = JSON.parse(vigil('uninstall --json').stdout)
    expect(files[0]).toMatchObject({ ...file, warnings: [] })
    expect(files.slice(1).filter(({ changed }: { changed: boolean }) => changed)).toEqual([])
  })

  it('[I24] say which events they install, and which they take out', () => {
    const claude = join(top, 'bin/claude')
    writeFileSync(claude, '#!/bin/sh\necho "2.1.325 (Claude Code)"\n')
    const set = (args: string) => JSON.parse(vigil(`install --json ${args}`).stdout).agents[0].set
    expect(set('--all-events --dry-run')).toBe('all')
    expect(vigil('install --all-events').stdout).toMatch(/: 24 hook events\n/)
    const again = vigil('install').stdout
    expect(again).toMatch(/: 10 hook events; it knows 24, which --all-events installs\n/)
    expect(again).toMatch(/\n {2}no longer: PreToolUse, .*, PostModelSwitch\n/)
    expect(set('--dry-run')).toBe('short')
    expect(vigil('install').stdout).not.toContain('no longer')
    vigil('uninstall')
    expect(read()).toBe(OWN)
  })

  it('[LP41] --plugin adds commands inside the client, --no-plugin takes them out', () => {
    const options = (args: string) => JSON.parse(vigil(`install ${args}`).stdout).agents[0].options
    expect(options('--plugin --dry-run --json')).toEqual(['plugin'])
    expect(read()).toBe(OWN)
    expect(vigil('install --plugin').stdout).toMatch(/vigil uninstall.*\n.*\/vigil:loop/)
    expect(JSON.parse(read()).enabledPlugins).toEqual({ 'vigil@vigil': true })
    expect(vigil('install').stdout).toContain('hooks are up to date')
    expect(options('--no-plugin --json')).toEqual([])
    expect(JSON.parse(read())).not.toHaveProperty('enabledPlugins')
    vigil('install --plugin')
    vigil('uninstall')
    expect(read()).toBe(OWN)
    expect(existsSync(join(top, 'vigil/plugin'))).toBe(false)
  })

  it('[LP40] raise the client’s cap, but not over one of the user’s own', () => {
    vigil('install', { CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '20' })
    expect(JSON.parse(read())).not.toHaveProperty('env')
    vigil('install')
    expect(JSON.parse(read()).env).toEqual({ CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '1000' })
    vigil('uninstall')
    expect(read()).toBe(OWN)
  })

  it('[I1] without a client say so, and take the events that every client knows', () => {
    rmSync(join(top, 'bin/claude'))
    expect(vigil('install').stdout).toMatch(/^no claude in PATH: the 11 hook events/)
    expect(vigil('install --claude nowhere').status).toBe(2)
  })

  it('[I15] say which older client uses the folder, and what is left out for it', () => {
    writeFileSync(join(top, 'bin/claude'), '#!/bin/sh\necho "2.1.325 (Claude Code)"\n')
    mkdirSync(join(top, '.claude/projects/-work'), { recursive: true })
    const log = join(top, '.claude/projects/-work/1.jsonl')
    writeFileSync(log, '{"type": "user", "version": "2.1.220"}\n')
    const less = `2.1.220 uses it (${log}): 23 hook events, without PostModelSwitch\n`
    const all = () => vigil('install --all-events').stdout
    expect(all()).toContain(`${join(top, '.claude')}: Claude Code ${less}`)
    expect(read()).not.toContain('PostModelSwitch')
    rmSync(log)
    expect(all()).not.toContain('uses it')
    expect(read()).toContain('PostModelSwitch')
    writeFileSync(log, '{"type": "user", "version": "2.1.100"}\n')
    expect(vigil('install').stdout).toContain(`2.1.100 uses it (${log}): 22 hook events\n`)
  })

  it('[I5] a broken file: one line, its place, exit code 2, no byte changed', () => {
    writeFileSync(settings(), '{\n  "model": "opus",\n  oops\n}\n')
    for (const command of ['install', 'install --dry-run', 'uninstall']) {
      const { status, stdout, stderr } = vigil(command)
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
      expect(stderr).toMatch(
        /^vigil: .*settings\.json:3:3: invalid symbol; nothing was changed\. Fix the file first\n$/,
      )
    }
    expect(read()).toBe('{\n  "model": "opus",\n  oops\n}\n')
    expect(written()).toEqual([])
  })

  it('[I9] CLAUDE_CONFIG_DIR and --config-dir say where', () => {
    const at = (dir: string) => existsSync(join(top, dir, 'settings.json'))
    vigil('install', { CLAUDE_CONFIG_DIR: join(top, 'work') })
    expect([at('work'), read()]).toEqual([true, OWN])
    mkdirSync(join(top, 'a'))
    const mistyped = vigil('install --config-dir a --config-dir b')
    expect([mistyped.status, at('a'), at('b')]).toEqual([2, false, false])
    expect(mistyped.stderr).toMatch(/^vigil: --config-dir b: no such folder; .*--create\n$/)
    vigil('install --config-dir a --config-dir b --create')
    expect([at('a'), at('b'), read()]).toEqual([true, true, OWN])
    vigil('uninstall')
    expect([at('work'), at('a'), at('b')]).toEqual([false, false, false])
  })

  it.each([
    ['// mine\n{}\n', /line 1:1: Claude Code ignores settings files with comments/],
    ['{\n  "a": [1,]\n}', /line 2:11: Claude Code ignores settings files with comments or trail/],
    ['{"disableAllHooks": true}', /"disableAllHooks" is true; no hook runs/],
  ])('[I12] %j: warn that no hook will run', (text, warning) => {
    writeFileSync(settings(), text)
    const { stdout } = vigil('install')
    expect(stdout).toMatch(warning)
    expect(stdout).toMatch(/^No session reports to vigil by hooks until/m)
    expect(stdout).not.toContain('Sessions that you start from now on report')
    expect(JSON.parse(vigil('install --json').stdout).files[0].warnings[0]).toMatch(warning)
    vigil('uninstall')
    expect(read()).toBe(text)
  })

  it('[I12] a byte order mark is named for clients that do not read it', () => {
    writeFileSync(settings(), `\uFEFF${OWN}`)
    expect(vigil('install').stdout).not.toContain('warning')
    writeFileSync(join(top, 'bin/claude'), '#!/bin/sh\necho "2.0.50 (Claude Code)"\n')
    expect(vigil('install').stdout).toContain('warning: begins with a byte order mark')
  })

  it.each(['install --help', 'uninstall --help'])('%s teaches', (args) => {
    expect(vigil(args).stdout).toMatch(/Examples:\n {2}vigil (un)?install --dry-run/)
  })
})
