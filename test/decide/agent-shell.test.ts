import { execFileSync, spawn } from 'node:child_process'
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COMMAND } from '../../src/client/start.ts'
import { AGENT_MAY } from '../../src/surfaces/cli/agent-may.ts'
import { run } from '../commands/support.ts'
import { DaemonHome, OWN, turn, until } from '../support/daemon.ts'
import { typedOnTerminal } from '../support/typed-on-terminal.ts'

let home: DaemonHome
let bash = ''
beforeAll(async () => {
  home = new DaemonHome()
  await home.start()
  for (const name of ['mine', 'other']) home.write(turn(name, 1))
  await home.taken()
  await until('both are known', async () => (await home.states()).length === 2)
  bash = execFileSync('sh', ['-c', 'command -v bash'], { encoding: 'utf8' }).trim()
})
afterAll(() => home.end())

const WITHIN =
  /this command runs inside an agent.*: only the user .*\. Run it in your own terminal: vigil/

const inAgent = (args: readonly string[], more: Record<string, string> = {}) =>
  run(process.execPath, [COMMAND, ...args], { env: { ...home.env, CLAUDECODE: '1', ...more } })

/** Words that make a command get as far as it can. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  jump: ['own-other'],
  say: ['own-other', 'x'],
  name: ['own-other', 'x'],
  interrupt: ['own-other'],
  'fleet join': ['x'],
  'fleet allow': ['x', 'type'],
  'fleet remove': ['x'],
  'loop import': ['own-other', '/dev/null'],
  'notify channel': ['add', 'webhook', 'https://x.example/hook', '--allow-secrets'],
  'notify quiet': ['off'],
  'notify limit': ['5'],
  'share add': ['https://x.example'],
  'share remove': ['all'],
  'share ssh': ['1', '4711'],
  import: ['/dev/null'],
}

describe('in an agent’s shell', () => {
  const never = Object.keys(AGENT_MAY).filter((name) => AGENT_MAY[name]?.agent === false)
  it('[WD10] nothing that is for a person does anything', async () => {
    const before = readdirSync(home.folders.config)
    for (const name of never) {
      const { status, stdout, stderr } = await inAgent([...name.split(' '), ...(WORDS[name] ?? [])])
      expect([name, status, stdout, stderr]).toEqual([name, 2, '', expect.stringMatching(WITHIN)])
    }
    expect(readdirSync(home.folders.config)).toEqual(before)
    expect((await home.client.health()).pid).toBe(home.announced()?.pid)
    expect((await home.client.acts({})).acts).toEqual([])
  })

  it.each([
    [['open', '--print']],
    [['open', '--forget', 'all']],
    [['typing', 'own-other', 'on']],
    [['export', 'own-other', '--full']],
    [['daemon', '--port', '4711']],
    [['audit', '--json']],
    [['loop', 'start', '--prompt', 'x', '--until', 'true']],
    [['loop', 'star', '--prompt', 'x', '--until', 'true']],
    [['loop', 'start', '--from', 'tasks.md']],
    [['loop', 'start', '--prompt-file', '/etc/passwd']],
    [['loop', 'res', 'own-other']],
    [['not', 'cha', 'add', 'webhook', 'https://x.example/hook']],
  ])('[WD10] %j is refused', async (args) => {
    const { status, stderr } = await inAgent(args)
    expect([status, stderr]).toEqual([2, expect.stringMatching(WITHIN)])
  })

  it.each([
    [['status']],
    [['why', 'own-other']],
    [['typing', 'own-other']],
    [['open', '--list']],
    [['notify']],
    [['answers', 'status']],
    [['audit']],
    [['share', 'list']],
    [['loop']],
    [[]],
  ])('[WD10] looking is free: %j', async (args) => {
    const { status, stderr } = await inAgent(args)
    expect([status, stderr]).toEqual([0, ''])
  })

  it('[WD11] a plain loop of its own session may be started, paused and stopped', async () => {
    const own = { CLAUDE_CODE_SESSION_ID: `${OWN}mine` }
    const begun = await inAgent(['loop', 'start', '--prompt', 'mend it', '--max', '3'], own)
    expect([begun.status, begun.stderr]).toEqual([0, ''])
    expect((await inAgent(['loop', 'pause'], own)).status).toBe(0)
    expect((await inAgent(['loop', 'stop', 'own-mine'], own)).status).toBe(0)
  })

  it('[WD11] no loop of another session is started, paused or stopped', async () => {
    const own = { CLAUDE_CODE_SESSION_ID: `${OWN}mine` }
    const args = ['loop', 'start', 'own-other', '--prompt', 'x']
    const refused = [2, expect.stringMatching(WITHIN)]
    const start = await inAgent(args, own)
    expect([start.status, start.stderr]).toEqual(refused)
    await home.run(args)
    for (const act of ['pause', 'stop']) {
      const { status, stderr } = await inAgent(['loop', act, 'own-other'], own)
      expect([status, stderr]).toEqual(refused)
    }
    expect((await home.client.loop(`${OWN}other`))?.hold).toBeNull()
  })
})

describe('a sign-in code', () => {
  it('[DR14] is made by nothing that an agent may run, on a terminal either', async () => {
    await home.run(['share', 'add', 'https://vigil.example'])
    for (const env of [home.env, { ...home.env, CLAUDECODE: '1' }]) {
      const said = await typedOnTerminal(['share'], '', env)
      expect(said).toContain('Allowed addresses: https://vigil.example')
      expect(said).toContain('the QR code of `vigil share qr`')
      expect(said).not.toMatch(/code=/)
    }
    await home.run(['share', 'remove', 'all'])
  })
})

describe('an agent’s shell is known', () => {
  /** The client, by its program's name, runs this with no variable of its own. */
  const within = (script: string) => {
    const claude = join(home.path, 'claude')
    const env = Object.entries(home.env).map(([name, value]) => `${name}=${value}`)
    const scrubbed = ['env', '-i', ...env, process.execPath, COMMAND].join(' ')
    try {
      symlinkSync(bash, claude)
    } catch {
      // It is there from the test before.
    }
    // Two commands: a shell would become the only one.
    return run(claude, ['-c', `${script.replace('vigil', scrubbed)}; exit $?`], { env: home.env })
  }

  it('[WD12] by the program around it, whatever its variables say', async () => {
    const { status, stderr } = await within('vigil answers off')
    expect([status, stderr]).toEqual([2, expect.stringMatching(WITHIN)])
    const deeper = await within('sh -c "vigil stop; true"')
    expect(deeper.stderr).toMatch(WITHIN)
    expect((await home.client.health()).pid).toBe(home.announced()?.pid)
  })

  it('[WD12] behind a hundred shells within one another', async () => {
    const file = join(home.path, 'deeper.sh')
    const lines = [
      'n=$1; shift',
      'test $n -gt 0 || { "$@"; exit $?; }',
      'sh "$0" $((n - 1)) "$@"; exit $?',
    ]
    writeFileSync(file, `${lines.join('\n')}\n`)
    const { status, stderr } = await within(`set -- vigil answers off; sh ${file} 100 "$@"`)
    expect([status, stderr]).toEqual([2, expect.stringMatching(WITHIN)])
  })

  it('[WD12] a variable makes no session of another process its own', async () => {
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore' })
    home.write(turn('apart', 1), { claudePid: stranger.pid ?? 0 })
    const isKnown = async () => (await home.client.session(`${OWN}apart`))?.pid === stranger.pid
    await until('its process is known', isKnown)
    const forged = await inAgent(['loop', 'start', 'own-apart', '--prompt', 'x'], {
      CLAUDE_CODE_SESSION_ID: `${OWN}apart`,
    })
    stranger.kill()
    expect([forged.status, forged.stderr]).toEqual([2, expect.stringMatching(WITHIN)])
    expect(await home.client.loop(`${OWN}apart`)).toBeUndefined()
  })

  it('[WD12] by the process of a session, whatever session its variables name', async () => {
    home.write(turn('around', 1), { claudePid: process.pid })
    const isKnown = async () => (await home.client.session(`${OWN}around`))?.pid === process.pid
    await until('its process is known', isKnown)
    const { code, stderr } = await home.run(['answers', 'off'])
    expect([code, stderr]).toEqual([2, expect.stringMatching(WITHIN)])
    home.env.CLAUDE_CODE_SESSION_ID = `${OWN}other`
    const forged = await home.run(['loop', 'start', '--prompt', 'x', '--json'])
    delete home.env.CLAUDE_CODE_SESSION_ID
    expect(JSON.parse(forged.stdout).loop.session).toBe(`${OWN}around`)
  })
})
