import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { installClaude } from '../../test/support/install.ts'
import { foldersOf } from '../home/folders.ts'
import { Changed, readSettingsFile, replaceSettings } from './files.ts'

let top: string
const path = () => join(top, 'settings.json')

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'vigil-files-'))
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

it('[I8] a change by another process meanwhile is not overwritten', () => {
  writeFileSync(path(), '{"a":1}')
  const found = readSettingsFile(path())
  writeFileSync(path(), '{"a":2}')
  expect(() => replaceSettings(found, '{"a":3}')).toThrow(Changed)
  expect(() => replaceSettings(found, undefined)).toThrow(Changed)
  expect(readFileSync(path(), 'utf8')).toBe('{"a":2}')
  expect(readdirSync(top)).toEqual(['settings.json'])
})

it('[I8] install starts again from what another process wrote meanwhile', () => {
  writeFileSync(path(), '{"a":1}')
  let backups = 0
  const now = () => {
    // The clock is read for the backup's name, which is between reading and writing the file.
    if (backups++ === 0) writeFileSync(path(), '{"a":2}')
    return new Date(1_800_000_000_000 + backups)
  }
  const folders = foldersOf({ VIGIL_HOME: join(top, 'vigil') })
  installClaude({ folders, configDirs: [top], now })
  expect(JSON.parse(readFileSync(path(), 'utf8'))).toMatchObject({ a: 2, hooks: { Stop: [{}] } })
})

it('a file that cannot be reached is named, with what is the matter', () => {
  writeFileSync(join(top, 'file'), '')
  expect(() => readSettingsFile(join(top, 'file', 'settings.json'))).toThrow(
    /file\/settings\.json: cannot be read \(ENOTDIR\)/,
  )
})
