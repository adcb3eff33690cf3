import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setup as claudeSetup } from '../../src/agents/claude/setup/index.ts'
import { foldersOf } from '../../src/home/folders.ts'
import { type InstallOptions, install } from '../../src/install/install.ts'
import { readNote } from '../../src/install/note.ts'
import { uninstall } from '../../src/install/uninstall.ts'
import { HOOKS, setup, TRUST } from '../support/fable/setup.ts'

let top: string
const folders = () => foldersOf({ VIGIL_HOME: join(top, 'vigil') })
const home = () => join(top, 'fable')
const at = (file: string) => join(home(), file)
const read = (file: string) => readFileSync(at(file), 'utf8')
const target = (version = '2.0.0') => ({
  agent: 'fable',
  setup,
  homes: [home()],
  version,
})

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'vigil-two-'))
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

function put(more: Partial<InstallOptions> = {}, version?: string) {
  const own = { node: '/bin/true', vigil: 'vigil' }
  const targets = [target(version)]
  return install({ folders: folders(), targets, asked: {}, env: {}, ...own, ...more })
}

const take = (targets = [target()]) => uninstall({ folders: folders(), targets })

function write(hooks: string, trust: string): void {
  mkdirSync(home(), { recursive: true })
  writeFileSync(at(HOOKS), hooks)
  writeFileSync(at(TRUST), trust)
}

describe('an agent that keeps vigil’s part in two files', () => {
  it('[AG6] has both written, the second by the hashes of the first, and both come back', () => {
    write('on ask run mine # no newline', '# trusted\n')
    const [installed] = put()
    expect(installed?.outcomes.map(({ path, changed }) => [path, changed])).toEqual([
      [at(HOOKS), true],
      [at(TRUST), true],
    ])
    expect(read(TRUST).match(/^trust [0-9a-f]{64}$/gm)).toHaveLength(4)
    take()
    expect([read(HOOKS), read(TRUST)]).toEqual(['on ask run mine # no newline', '# trusted\n'])
  })

  it('[AG6] a second time changes nothing; a newer client changes both', () => {
    write('', '')
    put({}, '1.9.0')
    expect(put({}, '1.9.0')[0]?.outcomes.map(({ changed }) => changed)).toEqual([false, false])
    put({}, '2.0.0')
    expect(read(HOOKS)).toContain('on quit run ')
    expect(read(TRUST).match(/^trust /gm)).toHaveLength(4)
    take()
    expect([read(HOOKS), read(TRUST)]).toEqual(['', ''])
  })

  it('[AG6] one that cannot be changed keeps the other, and every other agent’s, as it was', () => {
    write('', 'broken\n')
    mkdirSync(join(top, 'claude'))
    const both = [
      { agent: 'claude', setup: claudeSetup, homes: [join(top, 'claude')], version: undefined },
      target(),
    ]
    expect(() => put({ targets: both })).toThrow(/trust\.conf: is broken/)
    expect([read(HOOKS), readdirSync(join(top, 'claude'))]).toEqual(['', []])
  })

  it('[AG6] each file that was edited since loses vigil’s part alone', () => {
    write('', '')
    put()
    writeFileSync(at(TRUST), `mine\n${read(TRUST)}`)
    take()
    expect([read(HOOKS), read(TRUST)]).toEqual(['', 'mine\n'])
  })

  it('[AG6] what was not there is gone again; a link stays one', () => {
    put()
    take()
    expect(existsSync(home())).toBe(false)
    mkdirSync(home())
    symlinkSync('elsewhere.conf', at(TRUST))
    put()
    expect(readFileSync(at('elsewhere.conf'), 'utf8')).toContain('trust ')
    take()
    expect(readdirSync(home())).toEqual([TRUST])
  })

  it('[AG6] changed between reading and writing, the home is planned again', () => {
    write('', 'first\n')
    let asked = 0
    const now = () => {
      // The clock is asked for the name of each backup: here for that of the second file.
      if (++asked === 2) writeFileSync(at(TRUST), 'second\n')
      return new Date(1_800_000_000_000 + asked)
    }
    const [installed] = put({ now })
    expect(read(TRUST)).toMatch(/^second\ntrust /)
    expect(installed?.outcomes).toMatchObject([
      { before: '', changed: true },
      { before: 'second\n', changed: true },
    ])
    take()
    expect([read(HOOKS), read(TRUST)]).toEqual(['', 'second\n'])
  })

  it('[AG4] is uninstalled alone: what other agents have stays noted', () => {
    const claude = {
      agent: 'claude',
      setup: claudeSetup,
      homes: [join(top, 'c')],
      version: '2.1.325',
    }
    put({ targets: [claude, target()] })
    take()
    expect(existsSync(home())).toBe(false)
    expect(Object.keys(readNote(folders()).agents)).toEqual(['claude'])
    take([claude as never])
    expect(existsSync(join(top, 'c'))).toBe(false)
  })
})
