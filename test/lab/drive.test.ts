import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Client } from '../../lab/drive/client.ts'
import { clientEnvironment, refuseRealKeys } from '../../lab/drive/environment.ts'
import { openStage, type Stage } from '../../lab/drive/stage.ts'
import { hold, say, script, tool } from '../../lab/model/script.ts'
import { until } from '../../lab/until.ts'
import { itUnless, NO_PROC } from '../support/needs.ts'

const talk = script('talk')
  .on('hello', say('Hello there.'))
  .on('touch', say('I will.'), tool('Bash', { command: 'touch made', description: 'Touch' }))
  .next(say('Touched it.'))
  .on('count', say('One, two'), hold())

describe('the real client, driven', () => {
  let stage: Stage
  let client: Client
  beforeAll(async () => {
    stage = await openStage(talk, { env: ({ root }) => ({ VIGIL_HOME: join(root, 'vigil') }) })
    client = await stage.claude()
  })
  afterAll(() => stage?.end())

  it('answers a prompt', async () => {
    await client.submit('hello, who is there?')
    await client.pane.sees(/● Hello there\./)
    expect(stage.model.requests.at(-1)).toMatchObject({ prompt: 'hello, who is there?' })
  })

  it('asks before it runs a command, and runs it when allowed', async () => {
    await client.submit('touch it')
    await client.pane.sees(/Do you want to proceed\?/)
    expect(existsSync(join(stage.place.project, 'made'))).toBe(false)
    await client.answer(/Do you want to proceed\?/, 'Enter')
    await client.pane.sees(/Touched it\./)
    expect(existsSync(join(stage.place.project, 'made'))).toBe(true)
  })

  it('is interrupted by Esc', async () => {
    await client.submit('count for ever')
    await client.pane.sees(/One, two/)
    await client.pane.press('Escape')
    await client.pane.sees(/Interrupted/)
    expect(stage.model.requests.at(-1)).toMatchObject({ prompt: 'count for ever' })
    await until('the answer to be left', () => stage.model.requests.at(-1)?.outcome === 'left')
  })

  itUnless(NO_PROC)('has nothing of the caller’s environment', () => {
    const environ = readFileSync(`/proc/${client.pane.pid}/environ`, 'utf8')
    const names = environ.split('\0').flatMap((pair) => pair.split('=')[0] || [])
    expect(names.toSorted()).toEqual([
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_BASE_URL',
      'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
      'DISABLE_AUTOUPDATER',
      'DISABLE_ERROR_REPORTING',
      'DISABLE_TELEMETRY',
      'HOME',
      'LANG',
      'PATH',
      'TERM',
      'TMUX',
      'TMUX_PANE',
      'VIGIL_HOME',
    ])
    expect(environ).toContain(`TMUX_PANE=${client.pane.id}`)
    expect(environ).toContain(`TMUX=${stage.place.root}/`)
  })

  it('declines the offer of another renderer before the input line', async () => {
    const env = { CLAUDE_CODE_FORCE_FULLSCREEN_UPSELL: '1' }
    const other = await stage.claude([], { env })
    await other.submit('hello again')
    await other.pane.sees(/● Hello there\./)
    await other.pane.close()
  })

  it('shows the screen when it waits in vain', async () => {
    const vain = client.pane.sees(/no such words/, { withinMs: 50 })
    await expect(vain).rejects.toThrow(/50 ms in vain for \/no such words\/.*\n(.*\n)*.*touch it/)
  })

  it('waits no longer than its program runs', async () => {
    // tmux may lose the last words of a program that ends at once.
    const pane = await stage.open(['sh', '-c', 'echo goodbye; read -r line; exit 3'])
    await pane.sees(/goodbye/)
    await pane.press('Enter')
    await expect(pane.sees(/hello/)).rejects.toThrow(/"code":3.* before \/hello\/.*\n.*\ngoodbye/)
    expect(await pane.sees(/goodbye/)).toContain('goodbye')
  })

  it('ends at /exit', async () => {
    await client.submit('/exit')
    expect(await client.pane.ended()).toEqual({ code: 0 })
  })

  it('ends by a signal, and when its terminal is closed', async () => {
    const killed = await stage.open(['sleep', '600'])
    killed.signal('SIGKILL')
    expect(await killed.ended()).toEqual({ signal: 9 })
    const closed = await stage.open(['sleep', '600'])
    await closed.close()
    await until('its end', () => !alive(closed.pid))
  })

  it('passes the exit code on, of a pane and of a command beside it', async () => {
    const pane = await stage.open(['sh', '-c', 'exit 3'])
    expect(await pane.ended()).toEqual({ code: 3 })
    const beside = await stage.run(['sh', '-c', 'echo "$VIGIL_HOME"; echo no >&2; exit 4'])
    const stdout = `${stage.place.root}/vigil\n`
    expect(beside).toEqual({ code: 4, stdout, stderr: 'no\n' })
  })
})

describe('a stage', () => {
  it('leaves nothing behind, not even what outlived its terminal', async () => {
    const stage = await openStage(talk)
    onTestFinished(() => stage.end())
    const daemon = await stage.run(['sh', '-c', 'setsid sleep 600 >/dev/null 2>&1 & echo $!'])
    const pane = await stage.open(['sleep', '600'])
    await stage.end()
    expect(existsSync(stage.place.root)).toBe(false)
    // What was killed is still in the process table until its parent has asked for it.
    const pids = [Number(daemon.stdout), pane.pid]
    await until('their end', () => !pids.some(alive), { withinMs: 5_000 })
  })

  it('is cleared when the process that opened it is killed', async () => {
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', ABANDONING], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [said] = await once(child.stdout, 'data')
    const { root, pid } = JSON.parse(String(said))
    expect(alive(pid) && existsSync(root)).toBe(true)
    child.kill('SIGKILL')
    await until('the end of everything', () => !alive(pid) && !existsSync(root))
  })

  it('does not open where a real key is set', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-ant-api03-not-the-fake-one')
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(openStage(talk)).rejects.toThrow('ANTHROPIC_API_KEY is set')
  })
})

describe('the environment of a client', () => {
  const options = { home: '/home/ada', path: '/bin', modelUrl: 'http://127.0.0.1:1' }

  it.each(['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'])(
    'refuses %s, and does not repeat it',
    (name) => {
      const extra = { [name]: 'a-real-secret' }
      expect(() => clientEnvironment({ ...options, extra })).toThrow(`${name} is set`)
      expect(() => refuseRealKeys(extra)).not.toThrow('a-real-secret')
    },
  )

  it('refuses a model that is not on loopback', () => {
    const modelUrl = 'http://192.0.2.1:80'
    expect(() => clientEnvironment({ ...options, modelUrl })).toThrow('expected 127.0.0.1')
  })
})

const ABANDONING = `
  const { openStage } = await import(${url('../../lab/drive/stage.ts')})
  const { script } = await import(${url('../../lab/model/script.ts')})
  const stage = await openStage(script('abandoned'))
  const { pid } = await stage.open(['sleep', '600'])
  console.log(JSON.stringify({ root: stage.place.root, pid }))
  setInterval(() => {}, 1_000)
`

function url(path: string): string {
  return JSON.stringify(new URL(path, import.meta.url).href)
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
