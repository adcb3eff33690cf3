import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, uptime } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { holdHooksOff, runningDaemon } from '../../src/home/daemon-files.ts'
import { foldersOf, privateFolder } from '../../src/home/folders.ts'
import { renderHook } from '../../src/install/scripts.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vigil-stop-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 10 }))

it('[HK11] a daemon that was stopped is not brought back by the next hook', () => {
  const folders = foldersOf({ VIGIL_HOME: home })
  privateFolder(folders.run)
  const started = join(home, 'started')
  const starter = join(home, 'starter')
  writeFileSync(starter, `#!/bin/sh\n: >'${started}'\n`, { mode: 0o700 })
  const hook = join(home, 'hook')
  const options = { spool: folders.spool, run: folders.run, node: starter, vigil: 'vigil' }
  writeFileSync(hook, renderHook(options), { mode: 0o700 })
  const run = () => spawnSync(hook, { input: '{}\n' })
  holdHooksOff(folders)
  expect(run().status).toBe(0)
  expect(existsSync(started)).toBe(false)
  // Half a minute later.
  writeFileSync(join(folders.run, 'starting'), `${Math.floor(uptime()) - 31}\n`)
  expect(run().status).toBe(0)
  for (let i = 0; i < 100 && !existsSync(started); i++) spawnSync('sleep', ['0.05'])
  expect(existsSync(started)).toBe(true)
  expect(readFileSync(join(folders.run, 'starting'), 'utf8')).toMatch(/^\d+\n$/)
  expect(runningDaemon(folders)).toBeUndefined()
})
