import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { foldersOf } from '../../src/home/folders.ts'
import { refreshHooks } from '../../src/install/refresh.ts'
import { installClaude, uninstallClaude } from '../support/install.ts'

/** As 0.6.0 and 0.7.0 wrote it, the same bytes, with status line and plugin, for 2.1.220. */
const NOTE = readFileSync(new URL('notes/format-1.json', import.meta.url), 'utf8')

let top: string
let before: string
const folders = () => foldersOf({ VIGIL_HOME: join(top, 'vigil') })
const settings = () => join(top, '.claude/settings.json')
const read = (path = settings()) => readFileSync(path, 'utf8')
const take = () => uninstallClaude(folders(), [])

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'vigil-note-'))
  const note = NOTE.replaceAll('@TOP@', top)
  const place = JSON.parse(note).places[join(top, '.claude')]
  for (const folder of ['.claude', 'vigil']) mkdirSync(join(top, folder))
  writeFileSync(join(top, 'vigil/install.json'), note)
  writeFileSync(settings(), place.after)
  before = place.before
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

describe('an install of 0.6.0 or 0.7.0', () => {
  it('[AG7] is uninstalled to the bytes from before', () => {
    take()
    expect(read()).toBe(before)
    expect(() => read(join(top, 'vigil/install.json'))).toThrow('ENOENT')
  })

  it('[AG7] edited since: only vigil’s part goes, and the user’s status line comes back', () => {
    writeFileSync(settings(), `${read().replace('"opus"', '"haiku"')}\n`)
    take()
    expect(read()).toBe(`${before.replace('"opus"', '"haiku"')}\n`)
  })

  it('[AG7] has its scripts and its plugin renewed', () => {
    expect(refreshHooks(folders(), { node: '/new/node', vigil: '/new/vigil.js' })).toBe(true)
    const hooks = join(top, 'vigil/hooks')
    expect(read(join(hooks, 'vigil-hook'))).toContain('/new/node')
    expect(read(join(hooks, 'vigil-statusline'))).toContain("vigil_command='my-line A'")
    expect(read(join(top, 'vigil/plugin/scripts/vigil'))).toContain('/new/vigil.js')
  })

  it('[AG7] is left as it is by another install, and noted anew', () => {
    const installed = read()
    const { outcomes, options } = installClaude({
      folders: folders(),
      configDirs: [join(top, '.claude')],
      version: '2.1.220',
      allEvents: true,
    })
    expect(outcomes).toMatchObject([{ changed: false }])
    expect([read(), options]).toEqual([installed, ['statusline', 'plugin']])
    expect(JSON.parse(read(join(top, 'vigil/install.json'))).format).toBe(2)
    take()
    expect(read()).toBe(before)
  })
})
