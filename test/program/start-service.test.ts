import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { COMMAND } from '../../src/client/start.ts'
import { startService } from '../../src/client/start-service.ts'
import { foldersOf } from '../../src/home/folders.ts'
import { writeUnits } from '../../src/install/service.ts'
import { programFolder } from '../support/program-folder.ts'

const top = programFolder()
afterAll(() => rmSync(top, { recursive: true }))

it('[PF10] while the service is installed the user manager starts the daemon', async () => {
  const bin = join(top, 'bin')
  const said = join(top, 'said')
  mkdirSync(bin)
  writeFileSync(join(bin, 'systemctl'), `#!/bin/sh\necho "$@" >>'${said}'\n`, { mode: 0o755 })
  const env = { PATH: bin, VIGIL_HOME: join(top, 'home'), XDG_CONFIG_HOME: join(top, 'config') }
  const folders = foldersOf(env)
  expect(await startService(env)).toBe(false)
  writeUnits({ folders, node: '/node', vigil: '/vigil.js', port: 40_123, env })
  expect(await startService(env)).toBe(true)
  mkdirSync(folders.run, { recursive: true })
  writeFileSync(folders.daemonFile, '{}')
  expect(await startService(env)).toBe(true)
  expect(readFileSync(said, 'utf8')).toBe(
    '--user start vigil.service\n--user restart vigil.service\n',
  )
  const daemon = spawnSync(process.execPath, [COMMAND, 'daemon'], { env, encoding: 'utf8' })
  expect([daemon.status, daemon.stderr]).toEqual([1, expect.stringContaining('is a service here')])
  writeFileSync(join(bin, 'systemctl'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  expect(await startService(env)).toBe(false)
})
