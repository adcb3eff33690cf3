import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ask } from '../../src/client/ask.ts'
import { DaemonHome, type Running, until } from '../support/daemon.ts'
import { A_LOOP } from '../support/loops.ts'
import { itUnless } from '../support/needs.ts'
import { noSecondUser, SecondUser } from '../support/second-user.ts'
import { digestOf } from '../support/spooled.ts'

const home = new DaemonHome()
const config = mkdtempSync(join(tmpdir(), 'vigil-agent-'))
const project = join(config, 'projects', '-p')
const SECRET = 'the secret of another file'
const line = (text: string) => {
  const content = [{ type: 'text', text }]
  const message = { id: 'm', role: 'assistant', content, stop_reason: 'end_turn' }
  return `${JSON.stringify({ type: 'assistant', message })}\n`
}
let daemon: Running
let count = 0

beforeAll(async () => {
  mkdirSync(project, { recursive: true })
  daemon = await home.start()
})

afterAll(async () => {
  await home.end()
  rmSync(config, { recursive: true, force: true })
})

/** Longer than the daemon needs for any of these, and shorter than anything that hangs. */
const SOON_MS = 5_000

/** A session names it, its talk is asked for, and its loop wants to know its last message. */
async function named(transcript_path: string) {
  count += 1
  const session_id = `names-${count}`
  const base = { session_id, cwd: '/p', transcript_path }
  home.write({ ...base, hook_event_name: 'UserPromptSubmit', prompt: 'x' })
  await until('it is known', () => home.client.session(session_id), SOON_MS)
  await home.client.startLoop({ ...A_LOOP, session: session_id })
  const stop = { ...base, hook_event_name: 'Stop' }
  const report = home.write(stop, { asks: 1 }).split('/').at(-1)
  const body = { report, digest: digestOf(stop) }
  const path = '/v1/loops/answer'
  const answer = ask(home.folders, { method: 'POST', path, body, silenceMaxMs: SOON_MS })
  const talk = await home.client.talk(session_id)
  await home.taken(SOON_MS)
  return { talk, answer: JSON.parse(await answer) }
}

const NOTHING = { said: [], call: null }

it('a transcript in its place is read', async () => {
  const path = join(project, 'good.jsonl')
  writeFileSync(path, line('All is well.'))
  expect((await named(path)).talk).toEqual({ said: ['All is well.'], call: null })
})

it('[BR7] a projects folder may lie behind a link', async () => {
  mkdirSync(join(config, 'linked'))
  symlinkSync(join(config, 'projects'), join(config, 'linked', 'projects'))
  const path = join(config, 'linked', 'projects', '-p', 'behind.jsonl')
  writeFileSync(path, line('Behind a link.'))
  expect((await named(path)).talk).toEqual({ said: ['Behind a link.'], call: null })
})

const WRONG: Readonly<Record<string, () => string>> = {
  '[BR6] a pipe': () => made('pipe.jsonl', (path) => execFileSync('mkfifo', [path])),
  '[BR6] a folder': () => made('folder.jsonl', (path) => mkdirSync(path)),
  '[BR6] a device': () => '/dev/zero',
  '[BR6] a link to a device': () => made('zero.jsonl', (path) => symlinkSync('/dev/zero', path)),
  '[BR7] a file elsewhere': () => secretIn('elsewhere'),
  '[BR7] what is no transcript': () =>
    made('notes.txt', (path) => writeFileSync(path, line(SECRET))),
  '[BR7] a link out of its folder': () =>
    made('link.jsonl', (path) => symlinkSync(secretIn('linked-to'), path)),
  '[BR7] a file in a folder that is a link': () => {
    symlinkSync(join(secretIn('behind'), '..'), join(config, 'projects', '-out'))
    return join(config, 'projects', '-out', 'secret.jsonl')
  },
  '[BR7] a way up': () => `${project}/../../${secretIn('up').slice(config.length + 1)}`,
}

it.each(Object.entries(WRONG))('%s is not read, and holds nothing up', async (_, make) => {
  const path = make()
  expect(await named(path)).toMatchObject({ talk: NOTHING, answer: { act: 'print', exit: 2 } })
  const next = { session_id: `again-${count}`, cwd: '/p', transcript_path: path }
  home.write({ ...next, hook_event_name: 'UserPromptSubmit', prompt: 'x' })
  await home.taken(SOON_MS)
  expect(await home.client.talk(next.session_id)).toEqual(NOTHING)
  const said = home
    .log()
    .split('\n')
    .filter((entry) => entry.includes(`"path":"${path}"`))
  expect(said).toHaveLength(1)
})

itUnless(noSecondUser)('[BR6] another user’s file is not read', async () => {
  const user = new SecondUser()
  try {
    const path = join(project, 'foreign.jsonl')
    for (const folder of [config, join(config, 'projects')]) chmodSync(folder, 0o755)
    chmodSync(project, 0o777)
    expect(user.run('tee', [path], line(SECRET)).status).toBe(0)
    expect((await named(path)).talk).toEqual(NOTHING)
    expect(home.log()).toContain('belongs to another user')
  } finally {
    chmodSync(project, 0o700)
    user.remove()
  }
})

it('[BR6] many pipes at once hold nothing up', async () => {
  const paths = Array.from({ length: 8 }, (_, n) =>
    made(`pipe-${n}.jsonl`, (path) => execFileSync('mkfifo', [path])),
  )
  const all = await Promise.all(paths.map(named))
  expect(all.map(({ talk }) => talk)).toEqual(paths.map(() => NOTHING))
})

it('[BR6] what becomes a pipe while it is opened is not waited for', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-race-'))
  const script = fileURLToPath(new URL('opened-race.ts', import.meta.url))
  writeFileSync(join(folder, 'file'), 'x')
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const flips = spawn(process.execPath, [script, 'flip', folder], { stdio: 'inherit' })
  try {
    const opens = [script, 'open', folder]
    const { status, stdout } = spawnSync(process.execPath, opens, {
      encoding: 'utf8',
      timeout: 15_000,
    })
    expect(status).toBe(0)
    const counts = JSON.parse(stdout)
    expect(Object.keys(counts).filter((is) => !['open', 'odd', 'absent'].includes(is))).toEqual([])
    expect([counts.open > 0, counts.odd > 0]).toEqual([true, true])
  } finally {
    flips.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
})

it('[BR6] and the daemon ends on request', async () => {
  expect(await home.run(['stop'])).toMatchObject({ code: 0 })
  await until('it has ended', () => daemon.isOver, SOON_MS)
})

/** In its place below the projects folder. */
function made(name: string, make: (path: string) => void): string {
  const path = join(project, name)
  if (!existsSync(path)) make(path)
  return path
}

function secretIn(name: string): string {
  const folder = join(config, name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'secret.jsonl'), line(SECRET))
  return join(folder, 'secret.jsonl')
}
