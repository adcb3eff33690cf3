import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { codex } from '../../src/agents/codex/index.ts'
import { codexSetup as setup } from '../../src/agents/codex/setup/index.ts'
import { foldersOf } from '../../src/home/folders.ts'
import { converseWith } from '../../src/install/client.ts'
import { oldestClient } from '../../src/install/clients.ts'
import { install } from '../../src/install/install.ts'
import { uninstall } from '../../src/install/uninstall.ts'

let top: string
const folders = () => foldersOf({ VIGIL_HOME: join(top, 'vigil') })
const home = () => join(top, 'home')
const target = () => ({ agent: 'codex', setup, homes: [home()], version: '0.166.0' })
const put = () => {
  const own = { node: '/bin/true', vigil: 'vigil' }
  return install({ folders: folders(), targets: [target()], asked: {}, env: {}, ...own })
}
const take = () => uninstall({ folders: folders(), targets: [target()] })
const read = (file: string) => readFileSync(join(home(), file), 'utf8')

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'vigil-codex-')))
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

const HOOKS = '{\r\n  "hooks": {\r\n    "Stop": [{ "matcher": "x", "hooks": [] }]\r\n  }\r\n}\r\n'
const CONFIG = '\uFEFF# mine\r\nmodel = "x" # why\r\n\r\n[tui]\r\n# the bell\r\nbell = true'

describe('install of Codex', () => {
  it('[CX22][CX24] both files come back byte for byte, also through links', () => {
    mkdirSync(join(top, 'dots'))
    mkdirSync(join(top, 'real'))
    symlinkSync('real', home())
    for (const [file, text] of [['hooks.json', HOOKS] as const, ['config.toml', CONFIG] as const]) {
      writeFileSync(join(top, 'dots', file), text)
      symlinkSync(join('..', 'dots', file), join(home(), file))
    }
    put()
    expect(read('config.toml')).toContain(`[hooks.state."${top}/home/hooks.json:stop:1:0"]\r\n`)
    expect(read('config.toml')).toContain(`[hooks.state."${top}/real/hooks.json:stop:1:0"]\r\n`)
    put()
    take()
    expect([read('hooks.json'), read('config.toml')]).toEqual([HOOKS, CONFIG])
    expect(lstatSync(join(home(), 'config.toml')).isSymbolicLink()).toBe(true)
  })

  it('[CX24] a config that the client wrote to meanwhile keeps what it wrote', () => {
    mkdirSync(home())
    writeFileSync(join(home(), 'config.toml'), 'model = "x"\n')
    put()
    const project = '\n[projects."/p"]\ntrust_level = "trusted"\n'
    writeFileSync(join(home(), 'config.toml'), `${read('config.toml')}${project}`)
    take()
    expect(read('config.toml')).toBe(`model = "x"\n${project}`)
    expect(existsSync(join(home(), 'hooks.json'))).toBe(false)
  })

  it('[I26] a config without a place for the marks is refused, and no file is changed', () => {
    mkdirSync(home())
    writeFileSync(join(home(), 'hooks.json'), HOOKS)
    writeFileSync(join(home(), 'config.toml'), 'a = 1\nhooks = { Stop = [] }\n')
    expect(put).toThrow(`${home()}/config.toml:2:1: hooks leaves no place`)
    expect(read('hooks.json')).toBe(HOOKS)
  })
})

it('[CX28] a long rollout names its client in its first line', () => {
  const folder = join(home(), 'sessions/2026/11/18')
  mkdirSync(folder, { recursive: true })
  const meta = JSON.stringify({ type: 'session_meta', payload: { cli_version: '0.150.2' } })
  const line = `${JSON.stringify({ type: 'event_msg', payload: { text: 'x'.repeat(1_000) } })}\n`
  const name = 'rollout-2026-11-18T10-00-00-01a1e504-cd6b-75c1-a49f-da8fd235ddaf.jsonl'
  writeFileSync(join(folder, name), `${meta}\n${line.repeat(200)}`)
  expect(oldestClient(codex, home(), [])?.version).toBe('0.150.2')
})

describe('a client that ends with its input', () => {
  const program = (script: string) => {
    const path = join(top, 'client')
    writeFileSync(path, `#!/bin/sh\n${script}\n`)
    chmodSync(path, 0o700)
    return (until: RegExp) => converseWith(path, ['a'], { PATH: '/usr/bin:/bin' }, 'in\n', until)
  }

  it('[CX26] is heard until it has answered', async () => {
    const slow = 'read line; sleep 0.1; echo "$1 $line"; cat; echo end'
    expect(await program(slow)(/^a in$/m)).toBe('a in\nend\n')
  })

  it('[CX26] says nothing where it fails, or is not there', async () => {
    expect(await program('echo x; exit 1')(/y/)).toBeUndefined()
    const none = join(top, 'none')
    expect(await converseWith(none, [], {}, '', /x/)).toBeUndefined()
  })
})
