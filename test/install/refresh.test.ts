import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { foldersOf } from '../../src/home/folders.ts'
import { refreshHooks } from '../../src/install/refresh.ts'
import { installClaude, uninstallClaude } from '../support/install.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vigil-refresh-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const folders = () => foldersOf({ VIGIL_HOME: join(home, 'vigil') })
const script = () => readFileSync(join(folders().hooks, 'vigil-hook'), 'utf8')
const config = () => join(home, '.claude')

it('[I14] scripts that are installed start the vigil that was started last', () => {
  installClaude({
    folders: folders(),
    configDirs: [config()],
    node: '/old/node',
    vigil: '/old/vigil.js',
  })
  expect(script()).toContain('/old/node')
  expect(refreshHooks(folders(), { node: '/new/node', vigil: '/new/vigil.js' })).toBe(true)
  expect(script()).toContain('/new/node')
  expect(script()).not.toContain('/old/node')
})

it('[I14] scripts that are not installed are not brought back', () => {
  expect(refreshHooks(folders(), { node: '/new/node', vigil: '/new/vigil.js' })).toBe(false)
  installClaude({
    folders: folders(),
    configDirs: [config()],
    node: '/old/node',
    vigil: '/old/vigil.js',
  })
  uninstallClaude(folders(), [config()])
  const silent = script()
  expect(refreshHooks(folders(), { node: '/new/node', vigil: '/new/vigil.js' })).toBe(false)
  expect(script()).toBe(silent)
})
