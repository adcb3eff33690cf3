import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
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
import { afterEach, beforeEach, expect, it } from 'vitest'
import { whyDenied } from '../../src/home/denied.ts'
import { foldersOf } from '../../src/home/folders.ts'
import { describeUnless } from '../support/needs.ts'
import { noSecondUser } from '../support/second-user.ts'

const VIGIL = fileURLToPath(new URL('../../bin/vigil.js', import.meta.url))
/** Some user without an account: files need only its number. */
const UID = 54_321

let top: string
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'vigil-denied-'))
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

const denied = (path: string) => Object.assign(new Error('no'), { code: 'EACCES', path })

it('[I17] what vigil may not use of its own folders is said with the command that mends it', () => {
  const folders = foldersOf({ VIGIL_HOME: top })
  const note = join(top, 'install.json')
  expect(whyDenied(denied(note), folders)).toBe(
    `${note} cannot be used (EACCES); chmod -R u+rwX ${top}`,
  )
  expect(whyDenied(denied('/etc/shadow'), folders)).toBeUndefined()
  expect(whyDenied(Object.assign(denied(note), { code: 'ENOSPC' }), folders)).toBeUndefined()
})

function vigil(...words: string[]) {
  const env = { HOME: top, PATH: '/usr/bin:/bin' }
  const as = { env, uid: UID, gid: UID, cwd: '/', encoding: 'utf8' } as const
  return spawnSync(process.execPath, [VIGIL, ...words], as)
}

describeUnless(noSecondUser)('after sudo vigil', () => {
  it.each(['install', 'doctor', 'agents'])('[I17] %s says it in one line', (command) => {
    const data = join(top, '.local/share/vigil')
    for (const folder of ['.local/share', '.local/state', '.cache', '.claude']) {
      mkdirSync(join(top, folder), { recursive: true })
      chownSync(join(top, folder), UID, UID)
    }
    for (const folder of ['', '.local']) chownSync(join(top, folder), UID, UID)
    mkdirSync(data, { mode: 0o700 })
    writeFileSync(join(data, 'install.json'), '{}', { mode: 0o600 })
    chmodSync(data, 0o700)
    const { status, stderr } = vigil(command)
    expect(status).toBe(1)
    expect(stderr).toMatch(/belongs to another user .* sudo chown -R 54321 .*share\/vigil\n$/)
    expect(stderr.trim().split('\n')).toHaveLength(1)
  })
})

describeUnless(noSecondUser)('files of Codex that may not be used', () => {
  const inHome = (file: string) => join(top, '.codex', file)
  beforeEach(() => {
    mkdirSync(inHome(''))
    writeFileSync(inHome('config.toml'), 'model = "x"\n')
    for (const path of [top, inHome(''), inHome('config.toml')]) chownSync(path, UID, UID)
  })

  it.each([
    ['a folder that cannot be written', '', 0o500, 'written'],
    ['a file that cannot be read', 'config.toml', 0o200, 'read'],
  ])('[I5] %s: one line says it, and nothing is changed', (_, file, mode, what) => {
    chmodSync(inHome(file), mode)
    const { status, stdout, stderr } = vigil('install', '--agent', 'codex')
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toBe(
      `vigil: ${inHome('config.toml')}: cannot be ${what} (EACCES); ` +
        'check its permissions and those of its folder\n',
    )
    expect(readdirSync(inHome(''))).toEqual(['config.toml'])
    expect(readFileSync(inHome('config.toml'), 'utf8')).toBe('model = "x"\n')
  })
})

describeUnless(noSecondUser)('a config folder of another user', () => {
  const env = () => ({ HOME: top, VIGIL_HOME: join(top, 'vigil'), PATH: '/usr/bin:/bin' })
  const install = (...words: string[]) =>
    spawnSync(process.execPath, [VIGIL, 'install', '--agent', 'codex', ...words], {
      ...{ env: env(), cwd: '/', encoding: 'utf8' },
    })

  it.each([
    ['there', true],
    ['to be made', false],
  ])('[I28] %s: root is warned, and the files are that user’s', (_, isThere) => {
    const home = join(top, 'codex')
    mkdirSync(isThere ? home : top, { recursive: true })
    chownSync(isThere ? home : top, UID, UID)
    const { status, stdout } = install('--config-dir', home, '--create')
    expect(status).toBe(0)
    expect(stdout).toContain(`belongs to user ${UID}, whose clients cannot run this user’s hooks`)
    if (isThere)
      for (const file of ['config.toml', 'hooks.json'])
        expect(statSync(join(home, file))).toMatchObject({ uid: UID, gid: UID })
  })

  it('[I28] of one’s own has no warning', () => {
    expect(install('--config-dir', join(top, 'codex'), '--create').stdout).not.toContain(
      'belongs to user',
    )
  })
})
