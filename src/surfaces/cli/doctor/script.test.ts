import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { UNNAMED_AGENT } from '../../../agents/index.ts'
import { COMMAND } from '../../../client/start.ts'
import { foldersOf } from '../../../home/folders.ts'
import { hookOf, writeHook } from '../../../install/scripts.ts'
import { checkScript } from './script.ts'

const home = mkdtempSync(join(tmpdir(), 'vigil-script-'))
const folders = foldersOf({ VIGIL_HOME: home })
afterAll(() => rmSync(home, { recursive: true }))

describe('the script', () => {
  const level = () => checkScript(folders, UNNAMED_AGENT).level

  it('[CM12] is there, can be run, is of this version and finds its Node', () => {
    expect(level()).toBe('warning')
    writeHook(folders, UNNAMED_AGENT, { node: process.execPath, vigil: COMMAND })
    expect(level()).toBe('ok')
    const path = hookOf(folders, UNNAMED_AGENT)
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replaceAll(process.execPath, '/bin/sh'))
    expect(level()).toBe('ok')
    writeFileSync(path, text.replaceAll(process.execPath, '/nowhere/node'))
    expect(checkScript(folders, UNNAMED_AGENT)).toMatchObject({
      level: 'problem',
      what: expect.stringContaining('/nowhere/node'),
    })
    writeFileSync(path, `${text}# older\n`)
    expect(level()).toBe('warning')
    writeFileSync(path, text)
    chmodSync(path, 0o600)
    // Root can read every file, but can run only files marked executable.
    expect(level()).toBe('problem')
  })
})
