import { spawn } from 'node:child_process'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claude } from '../../src/agents/claude/index.ts'
import { newToken } from '../../src/daemon/api/token.ts'
import { foldersOf, privateFolder } from '../../src/home/folders.ts'
import { parseSpool } from '../../src/sources/spool-parse.ts'
import { spoolStatusline } from '../../src/surfaces/cli/statusline-spool.ts'
import { startEngine, vigilIn } from './support.ts'

const PAYLOAD = {
  session_id: 's1',
  model: { id: 'claude-opus-5-5', display_name: 'Opus 5.5' },
  context_window: { remaining_percentage: 77 },
}
const INPUT = `${JSON.stringify(PAYLOAD)}\n\n`

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vigil-statusline-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true, maxRetries: 10 }))

const spool = () => foldersOf({ VIGIL_HOME: home }).spool

describe('statusline', () => {
  it('[CM8] leaves a report in the spool, for its user alone', async () => {
    const env = { TMUX_PANE: '%3', TMUX: 'a\nb', SECRET_KEY: 'hunter2' }
    await vigilIn(home, ['statusline'], { input: INPUT, env })
    const [name = '', ...more] = readdirSync(spool())
    expect(more).toEqual([])
    const text = readFileSync(join(spool(), name), 'utf8')
    expect(text).toMatch(/^vigil 1\nagent=claude\nppid=\d+\n(.*\n)*tmux=a\ntmuxPane=%3\n/)
    expect(text).not.toContain('hunter2')
    expect(parseSpool(name, text, 5)).toMatchObject({
      t: 5,
      source: 'statusline',
      agent: 'claude',
      payload: PAYLOAD,
    })
    expect(statSync(join(spool(), name)).mode & 0o777).toBe(0o600)
    expect(statSync(spool()).mode & 0o777).toBe(0o700)
  })

  it('[CM8] never overwrites an unread report', () => {
    for (const n of [1, 2, 3]) spoolStatusline(spool(), Buffer.from(`{"n":${n}}`), {}, claude)
    const found = readdirSync(spool()).toSorted()
    const own = `statusline.${process.pid}`
    expect(found).toEqual([own, `${own}.1`, `${own}.2`])
    const read = found.map((name) => parseSpool(name, readFileSync(join(spool(), name), 'utf8'), 0))
    expect(read).toMatchObject([1, 2, 3].map((n) => ({ payload: { n } })))
  })

  it('[CM9] passes input, output, errors and exit code of a command on', async () => {
    const script = 'cat; printf oops >&2; exit 7'
    const out = await vigilIn(home, ['statusline', '--', 'sh', '-c', script], { input: INPUT })
    expect(out).toMatchObject({ status: 7, stdout: INPUT, stderr: 'oops' })
    const deaf = await vigilIn(home, ['statusline', '--', 'true'], { input: 'x'.repeat(1_000_000) })
    expect(deaf).toMatchObject({ status: 0, stdout: '', stderr: '' })
    const none = await vigilIn(home, ['statusline', '--', 'no-such-command'], { input: INPUT })
    expect(none).toMatchObject({ status: 127, stdout: '' })
  })

  it('[CM9] ends as its command was ended, and passes a signal to end on to it', async () => {
    const killed = await vigilIn(home, ['statusline', '--', 'sh', '-c', 'kill -9 $$'], {})
    expect(killed.status).toBeNull()
    const vigil = fileURLToPath(new URL('../../bin/vigil.js', import.meta.url))
    const trapped = 'trap "echo told; exit 3" TERM; echo ready; while :; do sleep 0.05; done'
    const child = spawn(process.execPath, [vigil, 'statusline', '--', 'sh', '-c', trapped], {
      env: { ...process.env, VIGIL_HOME: home },
    })
    child.stdin.end(INPUT)
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
      if (said === 'ready\n') child.kill('SIGTERM')
    })
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect({ code, said }).toEqual({ code: 3, said: 'ready\ntold\n' })
  })

  it.each(['', 'no JSON', '[]', '{"model":7,"context_window":"x"}'])(
    '[CM9] never fails: %j',
    async (input) => {
      const { status, stderr } = await vigilIn(home, ['statusline'], { input })
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    },
  )

  it('[CM9] says nothing where it may not write', async () => {
    const file = join(home, 'file')
    writeFileSync(file, '')
    chmodSync(file, 0o600)
    const { status, stdout, stderr } = await vigilIn(file, ['statusline'], { input: INPUT })
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: 'Opus 5.5 · 23 % context\n',
      stderr: '',
    })
  })
})

describe('its own line', () => {
  const engines: Awaited<ReturnType<typeof startEngine>>[] = []
  afterAll(() => Promise.all(engines.map((engine) => engine.close())))

  it('[CM10] tells model, context and the fleet', async () => {
    const rig = await startEngine()
    engines.push(rig)
    const t = Date.now()
    const hook = (session_id: string, hook_event_name: string, tool_name?: string) =>
      ({ t, source: 'hook', payload: { session_id, hook_event_name, tool_name } }) as const
    rig.play([
      hook('a', 'UserPromptSubmit'),
      hook('b', 'UserPromptSubmit'),
      hook('c', 'PermissionRequest', 'Bash'),
    ])
    // A busy machine may not answer in time; the line then comes without the fleet.
    const seen = new Set<string>()
    for (const giveUpAt = Date.now() + 30_000; seen.size < 2 && Date.now() < giveUpAt; ) {
      const { stdout } = await vigilIn(rig.home, ['statusline'], { input: INPUT })
      seen.add(stdout)
      if (stdout.includes('waiting')) break
    }
    seen.delete('Opus 5.5 · 23 % context\n')
    expect([...seen]).toEqual(['Opus 5.5 · 23 % context · ◆ 1 waiting  ► 2 working\n'])
  })

  it('[CM10] does not wait for a daemon that does not answer, and starts none', async () => {
    const folders = foldersOf({ VIGIL_HOME: home })
    const line = 'Opus 5.5 · 23 % context\n'
    expect((await vigilIn(home, ['statusline'], { input: INPUT })).stdout).toBe(line)
    expect(readdirSync(home)).not.toContain('run')
    privateFolder(folders.run)
    newToken(folders.token)
    const silent = createServer(() => {})
    await new Promise<void>((resolve) => silent.listen(folders.socket, resolve))
    const begun = Date.now()
    const { stdout } = await vigilIn(home, ['statusline'], { input: INPUT })
    silent.close()
    expect(stdout).toBe(line)
    // The client's own limit for an answer is ten seconds.
    expect(Date.now() - begun).toBeLessThan(10_000)
  })
})
