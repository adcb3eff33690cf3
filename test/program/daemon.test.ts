import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { COMMAND } from '../../src/client/start.ts'
import { type DaemonHome, until } from '../support/daemon.ts'
import { describeUnless, NO_TMUX } from '../support/needs.ts'
import { Agent, homeFor, shows } from '../tmux/agent.ts'
import { PrivateTmux } from '../tmux/support.ts'

let tmux: PrivateTmux
let home: DaemonHome
let project: string
let marks: string

const NAMES = ['tmux', 'git', 'notify-send', 'gdbus', 'ps', 'setsid', 'env', 'sed', 'cat', 'node']

/** A project that brings along programs by the names of those that vigil runs. */
beforeEach(() => {
  tmux = new PrivateTmux()
  const notify = { on: true, channels: [{ name: 'desk', kind: 'desktop' }] }
  home = homeFor(tmux, { tmux: { on: true }, notify })
  project = mkdtempSync(join(tmpdir(), 'vigil-project-'))
  marks = join(project, 'marks')
  const bin = join(project, 'node_modules/.bin')
  for (const folder of [marks, bin, home.env.HOME ?? '']) mkdirSync(folder, { recursive: true })
  for (const name of NAMES)
    writeFileSync(join(bin, name), `#!/bin/sh\necho >'${marks}/${name}'\n`, { mode: 0o755 })
  writeFileSync(join(project, 'first.cjs'), `require('fs').writeFileSync('${marks}/node', '')`)
  home.env.PATH = `${bin}:${home.env.PATH}`
})
afterEach(async () => {
  await home.end()
  await tmux.end()
  rmSync(project, { recursive: true })
})

/** The daemon shows in tmux that an agent works: it has found the machine's own tmux. */
async function expectOwnTmux(): Promise<void> {
  tmux.session('work', 2)
  new Agent(home, tmux, 'work:1').start().readOnly()
  await shows(tmux, 'work:1', '🤖own1')
  expect(readdirSync(marks)).toEqual([])
}

/** Of a process that may end meanwhile. */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8')
  } catch {
    return ''
  }
}

async function environment(): Promise<string[]> {
  await until('a daemon answers', () => home.announced() !== undefined)
  return readFileSync(`/proc/${home.announced()?.pid}/environ`, 'utf8').split('\0')
}

/** By which a program loads a file of the project's, or trusts one; none of them may pass. */
const LOADS = {
  LD_PRELOAD: '',
  BASH_ENV: '/x',
  OPENSSL_CONF: '/nonexistent/openssl.cnf',
  NODE_EXTRA_CA_CERTS: '/nonexistent/ca.pem',
  GCONV_PATH: '/nonexistent',
  GIT_EXTERNAL_DIFF: '/x',
  ANY_OTHER: 'x',
}
const isUnwanted = (one: string) => /^NODE_OPTIONS=/.test(one) || isOneOf(one.split('=')[0] ?? '')
const isOneOf = (name: string) => Object.hasOwn(LOADS, name)

describeUnless(NO_TMUX)('[PF3] no program of a project runs', () => {
  it('in a daemon that a person starts there', async () => {
    const { pid } = await home.start()
    await expectOwnTmux()
    // What it starts has its PATH: a client of tmux that stays while a user is attached.
    await tmux.attach('work:0')
    await until('it is attached, too', () => tmux.controls() === 1)
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    const paths = children.map(environmentOf).filter((text) => text !== '')
    expect(paths).not.toEqual([])
    expect(paths.join()).not.toMatch(/node_modules/)
  })

  it('in a daemon that a command starts there', async () => {
    Object.assign(home.env, LOADS)
    expect((await home.run(['status'])).code).toBe(0)
    const found = await environment()
    expect(found.find((one) => one.startsWith('PATH='))).not.toMatch(/node_modules/)
    expect(found.filter(isUnwanted)).toEqual([])
    await expectOwnTmux()
  })

  it('in a daemon that a hook starts there, nor what the project has Node load', async () => {
    const installed = await home.run(['install', '--agent', 'claude'])
    expect(installed).toMatchObject({ code: 0 })
    await home.run(['stop'])
    rmSync(join(home.folders.run, 'starting'), { force: true })
    rmSync(home.folders.daemonFile, { force: true })
    const hook = join(home.folders.hooks, 'vigil-hook')
    const more = { ...LOADS, NODE_OPTIONS: `--require=${project}/first.cjs` }
    const payload = '{"session_id":"own-a","hook_event_name":"Stop","cwd":"/"}\n'
    const env = { ...home.env, ...more }
    expect(spawnSync(hook, { cwd: project, env, input: payload }).status).toBe(0)
    const found = await environment()
    expect(found.filter((one) => isUnwanted(one) || /node_modules/.test(one))).toEqual([])
    await expectOwnTmux()
  })
})

describe('[PF4] vigil doctor', () => {
  it('names programs it found, and folders of PATH left out with the reason', async () => {
    const { stdout } = await home.run(['doctor', '--json'], COMMAND)
    const { findings } = JSON.parse(stdout) as {
      findings: { about: string; level: string; what: string; notes?: string[]; figures?: object }[]
    }
    const [all, ...warnings] = findings.filter(({ about }) => about === 'programs')
    const found = (name: string) => expect.stringMatching(new RegExp(`^/.*/${name}$`))
    const bin = join(project, 'node_modules/.bin')
    const why = 'it belongs to a project (node_modules)'
    expect(all?.figures).toMatchObject({
      found: expect.arrayContaining([found('git')]),
      leftOut: expect.arrayContaining([{ folder: bin, why }]),
    })
    expect(all?.notes).toContain(`vigil does not run programs from ${bin}: ${why}`)
    expect(warnings.map(({ what }) => what)).toEqual([
      expect.stringMatching(`^notify-send.* in ${bin} is not run: ${why.slice(0, 10)}`),
    ])
    expect(readdirSync(marks)).toEqual([])
  })
})
