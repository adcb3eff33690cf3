import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { POLICY_KEYS } from '../protocol/constants.ts'
import { AdminPolicy, POLICY_FILE } from './policy.ts'

let folder: string
let file: string
const owner = process.getuid?.() ?? 0

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'vigil-policy-')), 'vigil')
  mkdirSync(folder, { mode: 0o755 })
  file = join(folder, 'policy.json')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

function policy() {
  return new AdminPolicy({ file, owner })
}

function written(text: string, mode = 0o644) {
  writeFileSync(file, text, { mode })
  chmodSync(file, mode)
  return policy()
}

describe('the policy of the administrator', () => {
  it('[WD20] is read from one path; a missing file allows everything', () => {
    expect(POLICY_FILE).toBe('/etc/vigil/policy.json')
    expect(new AdminPolicy().view.file).toBe(POLICY_FILE)
    expect(policy().view).toMatchObject({ state: 'missing', fault: null })
    rmSync(folder, { recursive: true })
    for (const key of POLICY_KEYS) expect(policy().allows(key)).toBe(true)
  })

  it('[WD20] forbids what it says false of, and nothing else', () => {
    const found = written('{ "typing": false, "loops": true }')
    expect(found.view).toMatchObject({ state: 'in force', fault: null })
    expect(POLICY_KEYS.filter((key) => !found.allows(key))).toEqual(['typing'])
    expect(found.whyNot('loops')).toBeUndefined()
    expect(found.whyNot('typing')).toBe(
      `the administrator does not allow typing into sessions (${file})`,
    )
  })

  const broken: readonly [string, RegExp, () => void][] = [
    ['is not JSON', /is not JSON/, () => written('{ "typing": false')],
    ['is a list', /expected an object/, () => written('[]')],
    ['has a key that is not known', /"typeing": no such key/, () => written('{"typeing": false}')],
    ['has a word for a switch', /typing: expected true or false/, () => written('{"typing":"no"}')],
    ['can be written by its group', /written by other users/, () => written('{}', 0o664)],
    ['can be written by everybody', /written by other users/, () => written('{}', 0o646)],
    ['is too long', /longer than/, () => written(`{}${' '.repeat(70_000)}`)],
    ['is a folder', /not a regular file/, () => mkdirSync(file)],
    [
      'is a link',
      /not a regular file/,
      () => {
        written('{}')
        renameSync(file, `${file}.real`)
        symlinkSync(`${file}.real`, file)
      },
    ],
    [
      'lies in a folder that others can write',
      /its folder can be written/,
      () => {
        written('{}')
        chmodSync(folder, 0o777)
      },
    ],
  ]
  it.each(broken)('[WD21][WD22] one that %s allows nothing, and says why', (_, why, make) => {
    make()
    const found = policy()
    expect(found.view.state).toBe('broken')
    expect(found.view.fault).toMatch(why)
    for (const key of POLICY_KEYS) expect(found.allows(key)).toBe(false)
    expect(found.whyNot('answering')).toMatch(/not allowed, because the policy is broken/)
  })

  it('[WD21] one that lies in a folder that others can write is broken without a file, too', () => {
    chmodSync(folder, 0o777)
    expect(policy().view.state).toBe('broken')
  })

  it('[WD21] one of another user allows nothing', () => {
    written('{}')
    const found = new AdminPolicy({ file, owner: owner + 1 })
    expect(found.view.fault).toMatch(/belongs to user/)
    expect(found.allows('loops')).toBe(false)
  })

  it('[WD23] a change is in force with the next decision', () => {
    const found = written('{ "loops": true }')
    expect(found.allows('loops')).toBe(true)
    writeFileSync(`${file}.new`, '{"loops": false}')
    // The same size and time: a file moved here is another file all the same.
    utimesSync(`${file}.new`, 1, 1)
    renameSync(`${file}.new`, file)
    expect(found.allows('loops')).toBe(false)
    chmodSync(file, 0o666)
    expect(found.view.state).toBe('broken')
    rmSync(file)
    expect(found.allows('loops')).toBe(true)
  })
})
