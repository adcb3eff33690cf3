import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { foldersOf } from '../../src/home/folders.ts'
import { refreshHooks } from '../../src/install/refresh.ts'
import { type ClaudeInstall, installClaude, uninstallClaude } from '../support/install.ts'

let top: string
const dir = (name = 'config') => join(top, name)
const settings = (name?: string) => join(dir(name), 'settings.json')
const folders = () => foldersOf({ VIGIL_HOME: join(top, 'vigil') })
const script = () => join(top, 'vigil', 'hooks', 'vigil-statusline')
const read = (path = settings()) => readFileSync(path, 'utf8')

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'vigil-statusline-'))
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

function write(text: string, name?: string): void {
  mkdirSync(dir(name), { recursive: true })
  writeFileSync(settings(name), text)
}

function put(options: Partial<ClaudeInstall> = {}) {
  return installClaude({ folders: folders(), configDirs: [dir()], statusline: true, ...options })
}

const take = () => uninstallClaude(folders(), [])

/** Its command holds an escape and quotes that another writer would put differently. */
const OWN = `{
  "statusLine": {"padding": 0, "command": "~/line.sh 'a b' \\u0041 | cut -c1-8", "type": "command"},
  "model": "opus"
}
`

describe('the status line', () => {
  it('[I10] vigil’s stands in place of the user’s own, and runs it', () => {
    write(OWN)
    put()
    const { statusLine } = JSON.parse(read())
    expect(statusLine).toEqual({ padding: 0, command: script(), type: 'command' })
    expect(read(script())).toContain("vigil_command='~/line.sh '\\''a b'\\'' A | cut -c1-8'")
  })

  it('[I10] comes back byte for byte, also when the file was edited meanwhile', () => {
    write(OWN)
    put()
    take()
    expect(read()).toBe(OWN)
    put()
    write(read().replace('"opus"', '"haiku"').replace('"padding": 0', '"padding": 2'))
    take()
    expect(read()).toBe(OWN.replace('"opus"', '"haiku"').replace('"padding": 0', '"padding": 2'))
  })

  it('[I10] without one of the user’s own, vigil’s is set, and goes again', () => {
    for (const text of ['{}', '{"model":"opus"}', '{\n\t"a": 1,\n\t"b": [2]\n}\n']) {
      write(text)
      put()
      expect(JSON.parse(read()).statusLine).toEqual({ type: 'command', command: script() })
      expect(read(script())).toContain("vigil_command=''\n")
      write(`${read()} `)
      take()
      expect(read()).toBe(`${text} `)
    }
  })

  it('[I10] is left alone unless asked for; then it stays until it is given back', () => {
    write(OWN)
    put({ statusline: undefined })
    expect(read()).toContain('~/line.sh')
    put()
    put({ statusline: undefined, version: '2.1.325' })
    expect(read()).not.toContain('~/line.sh')
    expect(read(script())).toContain('~/line.sh')
    expect(put({ statusline: undefined, version: '2.1.325' }).outcomes[0]?.changed).toBe(false)
    put({ statusline: false })
    expect(read()).toContain('~/line.sh')
    take()
    expect(read()).toBe(OWN)
  })

  it('[HK17] writing the scripts again keeps the user’s own', () => {
    const command = `~/line.sh 'a b'\n| sed "s/x/$HOME/" # '\\'' `
    write(JSON.stringify({ statusLine: { type: 'command', command } }))
    put()
    const text = read(script())
    expect(text).toContain('| sed "s/x/$HOME/" # ')
    rmSync(script())
    refreshHooks(folders(), { node: '/bin/true', vigil: 'vigil' })
    expect(read(script())).toBe(text)
  })

  it('[I10] another’s that was set meanwhile stays', () => {
    write(OWN)
    put()
    write(read().replace(script(), 'other-line'))
    take()
    expect(JSON.parse(read()).statusLine.command).toBe('other-line')
  })

  it('[I10] one that cannot be passed through is refused, and so are two different ones', () => {
    write('{"statusLine": "x"}')
    expect(() => put()).toThrow(`${settings()}:1:16: "statusLine": expected a command`)
    expect(() => put({ statusline: undefined })).not.toThrow()
    take()
    write(OWN)
    write('{"statusLine": {"type": "command", "command": "b"}}', 'work')
    expect(() => put({ configDirs: [dir(), dir('work')] })).toThrow(/different status lines/)
    put()
    expect(() => put({ configDirs: [dir('work')] })).toThrow(/different status lines/)
    put({ configDirs: [dir('work')], statusline: undefined })
    expect(existsSync(script())).toBe(true)
    expect(read(script())).toContain('~/line.sh')
  })
})
