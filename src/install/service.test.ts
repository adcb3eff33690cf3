import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { itUnless } from '../../test/support/needs.ts'
import { foldersOf } from '../home/folders.ts'
import { removeUnits, servicePort, type Units, unitsOf, writeUnits } from './service.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-service-'))
afterAll(() => rmSync(folder, { recursive: true }))

const start = { node: '/opt/no de/100%/node', vigil: '/opt/$HOME "x"\\/vigil.js', port: 40_000 }
const usual = { HOME: '/home/ada', XDG_RUNTIME_DIR: '/run/user/1000', PATH: '/usr/bin:/tmp' }
const units = (env: NodeJS.ProcessEnv): Units => unitsOf({ ...start, folders: foldersOf(env), env })

/** The values of a setting, in order. */
const all = (text: string, name: string) =>
  [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map((match) => match[1])

describe('[PF9] the service', () => {
  it('may write to every folder of vigil’s, and to no other', () => {
    const text = units(usual)['vigil.service']
    expect(all(text, 'ReadWritePaths')).toEqual(
      ['.local/share', '.local/state', '.config', '.cache'].map(
        (name) => `"/home/ada/${name}/vigil"`,
      ),
    )
    expect(all(text, 'RuntimeDirectory')).toEqual(['vigil'])
    expect(all(text, 'ProtectSystem')).toEqual(['strict'])
    const home = units({ VIGIL_HOME: '/srv/v', PATH: '/usr/bin' })['vigil.service']
    const own = ['/srv/v', '/srv/v/config', '/srv/v/cache', '/srv/v/run']
    expect(all(home, 'ReadWritePaths')).toEqual(own.map((path) => `"${path}"`))
    expect(all(home, 'RuntimeDirectory')).toEqual([])
    const deep = foldersOf({ VIGIL_HOME: `/srv/${'x'.repeat(120)}` })
    const far = unitsOf({ ...start, folders: deep, env: {} })['vigil.service']
    expect(far).toContain(`ReadWritePaths="${join(deep.socket, '..')}"`)
  })

  it('starts the daemon by absolute paths, as they are, with trusted folders in PATH', () => {
    const text = units(usual)['vigil.service']
    expect(all(text, 'ExecStart')).toEqual([
      '"/opt/no de/100%%/node" "--max-semi-space-size=1" ' +
        '"/opt/$$HOME \\"x\\"\\\\/vigil.js" "daemon" "--quiet"',
    ])
    expect(all(text, 'Environment')).toContain('"PATH=/usr/bin"')
    expect(all(text, 'Environment')).toContain('"XDG_RUNTIME_DIR=/run/user/1000"')
    expect(all(text, 'UnsetEnvironment')[0]).toMatch(/NODE_OPTIONS.*LD_PRELOAD/)
  })

  it('gains nothing, and takes away no capability, which a user’s manager may not', () => {
    const text = units(usual)['vigil.service']
    for (const setting of [
      'NoNewPrivileges=yes',
      'RestrictNamespaces=yes',
      'RestrictSUIDSGID=yes',
      'SystemCallFilter=@system-service',
      'UMask=0077',
    ])
      expect(text.split('\n')).toContain(setting)
    const fatal =
      /^(CapabilityBoundingSet|ProtectClock|ProtectKernel(Logs|Modules)|PrivateDevices)=/m
    expect(text).not.toMatch(fatal)
    expect(text).not.toMatch(/^(PrivateTmp|MemoryDenyWriteExecute|PrivateUsers)=/m)
  })

  it('has its port from the socket unit, on this machine alone', () => {
    const { 'vigil.socket': socket, 'vigil.service': service } = units(usual)
    expect(all(socket, 'ListenStream')).toEqual(['127.0.0.1:40000', '[::1]:40000'])
    expect(all(service, 'Requires')).toEqual(['vigil.socket'])
  })

  it('is written with its folders, known by its port, and removed again', () => {
    const env = { HOME: join(folder, 'home'), XDG_RUNTIME_DIR: join(folder, 'run') }
    const folders = foldersOf(env)
    expect(servicePort(folders)).toBeUndefined()
    writeUnits({ ...start, folders, env })
    expect(servicePort(folders)).toBe(40_000)
    const path = join(folder, 'home/.config/systemd/user/vigil.service')
    expect(readFileSync(path, 'utf8')).toContain(folders.data)
    removeUnits(folders, env)
    expect(servicePort(folders)).toBeUndefined()
    expect(() => readFileSync(path)).toThrow('ENOENT')
  })

  const analyze = spawnSync('systemd-analyze', ['--version']).error
    ? 'systemd-analyze is not installed'
    : undefined
  itUnless(analyze)('holds no setting that systemd does not know', () => {
    const place = join(folder, 'units')
    mkdirSync(place)
    const node = { node: process.execPath, vigil: '/dev/null', port: 40_000, env: {} }
    const own = unitsOf({ ...node, folders: foldersOf({ VIGIL_HOME: folder }) })
    const paths = Object.entries(own).map(([name, text]) => {
      writeFileSync(join(place, name), text)
      return join(place, name)
    })
    const env = { PATH: process.env.PATH, XDG_RUNTIME_DIR: folder, HOME: folder }
    const said = spawnSync('systemd-analyze', ['--user', 'verify', ...paths], { env })
    expect(`${said.stderr}`).toBe('')
    expect(said.status).toBe(0)
    const service = ['security', '--offline=true', join(place, 'vigil.service')]
    const shown = execFileSync('systemd-analyze', service, { env, encoding: 'utf8' })
    const [, exposure = '10'] = /exposure level for vigil\.service: ([\d.]+)/.exec(shown) ?? []
    // Without restrictions it is 9.6; the rest counts capabilities that no user has.
    expect(Number(exposure)).toBeLessThan(6)
  })
})
