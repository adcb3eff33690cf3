import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { programFolder } from '../../../test/support/program-folder.ts'
import { foldersOf } from '../../home/folders.ts'
import { launchAgentPath, launchAgentText } from '../../install/launchd.ts'
import { findProgram } from '../../platform/programs.ts'
import {
  installLaunchAgent,
  type Launchctl,
  launchAgentState,
  uninstallLaunchAgent,
} from './launchctl.ts'

let home: string
let asked: string[]
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vigil-launchd-'))
  asked = []
})
afterEach(() => rmSync(home, { recursive: true }))

const options = () => {
  const env = { HOME: home, PATH: '/usr/bin' }
  return { folders: foldersOf(env), env, node: '/opt/a & b/node', vigil: '/opt/<x>/vigil.js' }
}
const says =
  (against?: string): Launchctl =>
  async (args) => {
    asked.push(args.join(' '))
    return args[0] === 'bootstrap' ? against : undefined
  }

describe('[I22] the launch agent', () => {
  it('starts the daemon at login and after a crash, by absolute paths', () => {
    const text = launchAgentText(options())
    const flat = text.replaceAll(/\s+/g, '')
    expect(flat).toContain(
      '<array><string>/opt/a&amp;b/node</string><string>--max-semi-space-size=1</string>' +
        '<string>/opt/&lt;x&gt;/vigil.js</string>' +
        '<string>daemon</string><string>--quiet</string></array>',
    )
    expect(flat).toContain('<key>RunAtLoad</key><true/>')
    expect(flat).toContain('<key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>')
    expect(flat).toContain('<key>PATH</key><string>/usr/bin</string>')
    const opened = [...text.matchAll(/<(\/?)(\w+)>/g)]
    const depth = opened.reduce((sum, [, end]) => sum + (end ? -1 : 1), 0)
    expect(depth, 'every tag but plist itself is closed').toBe(-1)
  })

  it('[PT12] has the folders of Node and tmux, which launchd’s own PATH lacks', () => {
    const bin = programFolder()
    onTestFinished(() => rmSync(bin, { recursive: true }))
    writeFileSync(join(bin, 'tmux'), '', { mode: 0o755 })
    const env = { HOME: home, PATH: `${bin}:/usr/bin` }
    const text = launchAgentText({ ...options(), env, node: join(bin, 'node') })
    expect(text).toContain(`<string>${join(bin, 'node')}</string>`)
    const [, path] = /<key>PATH<\/key>\s+<string>(.*)<\/string>/.exec(text) ?? []
    expect(findProgram('tmux', { PATH: path })).toBe(join(bin, 'tmux'))
  })

  it('is written and loaded in the place of an earlier one, and removed again', async () => {
    const path = launchAgentPath({ HOME: home })
    expect(await launchAgentState(options(), says())).toEqual({ installed: false })
    await installLaunchAgent(options(), says())
    const own = `gui/${process.getuid?.()}`
    expect(asked).toEqual([`bootout ${own}/agent-vigil.daemon`, `bootstrap ${own} ${path}`])
    expect(readFileSync(path, 'utf8')).toBe(launchAgentText(options()))
    const state = { installed: true, current: true, folder: path, service: 'active' }
    expect(await launchAgentState(options(), says())).toEqual(state)
    await uninstallLaunchAgent({ HOME: home }, says())
    expect(existsSync(path)).toBe(false)
  })

  it('that launchd refuses is an error with what it said', async () => {
    const refused = installLaunchAgent(options(), says('Bootstrap failed: 5'))
    await expect(refused).rejects.toThrow(/^launchctl bootstrap .*: Bootstrap failed: 5$/)
  })
})
