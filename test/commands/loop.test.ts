import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask } from '../../src/client/ask.ts'
import type { LoopAnswer, LoopStep, LoopView } from '../../src/protocol/loop.ts'
import { doChore } from '../../src/surfaces/loop/pending-checks.ts'
import { makeWorktree } from '../../src/surfaces/loop/worktree.ts'
import { DaemonHome, OWN, until } from '../support/daemon.ts'
import { digestOf } from '../support/spooled.ts'
import { goesOn } from '../support/told.ts'
import { type RunOptions, vigilIn } from './support.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'vigil-loop-')))
let home: DaemonHome
let count = 0
/** A session of its own for each test, in a folder of its own. */
let id = ''
let cwd = ''

beforeAll(async () => {
  home = new DaemonHome()
  await home.start()
})

afterAll(async () => {
  await home.end()
  rmSync(folder, { recursive: true, maxRetries: 10 })
})

beforeEach(async () => {
  count += 1
  id = `${OWN}${count}-abcdef`
  cwd = join(folder, `place${count}`)
  mkdirSync(cwd)
  await hook('UserPromptSubmit', { prompt: 'x' })
})

afterEach(async () => {
  for (const { id: loop } of (await home.client.loops()).loops) await home.client.stopLoop(loop, '')
})

const env = { HOME: join(folder, 'nobody'), CLAUDE_CODE_SESSION_ID: undefined, TMUX: undefined }

function vigil(args: readonly string[], options: RunOptions = {}) {
  return vigilIn(home.path, args, { ...options, env: { ...env, ...options.env } })
}

const loop = (...args: string[]) => vigil(['loop', ...args])

/** What a loop command prints, where it must not fail. */
async function said(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await loop(...args)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return stdout
}

async function hook(event: string, more = {}, head = {}) {
  const payload = { session_id: id, hook_event_name: event, cwd, ...more }
  const path = home.write(payload, head)
  await until('it is known', async () => home.waiting().length === 0)
  return { report: path.split('/').at(-1) ?? '', digest: digestOf(payload) }
}

/** The agent wants to stop, and runs the checks that the daemon asks for first. */
async function stops(message: string, chore = true): Promise<LoopAnswer> {
  const bound = await hook('Stop', { last_assistant_message: message }, { asks: 1 })
  const asking = async (result?: object): Promise<LoopAnswer> => {
    const body = { ...bound, ...(result && { result }) }
    const asked = { method: 'POST', path: '/v1/loops/answer', body, silenceMaxMs: 10_000 } as const
    const answer: LoopAnswer = JSON.parse(await ask(home.folders, asked))
    return answer.act === 'chore' && chore ? asking(await doChore(answer.chore, cwd)) : answer
  }
  return asking()
}

function git(...args: string[]): string {
  const ada = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org']
  return execFileSync('git', [...ada, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' }).trim()
}

function makeRepository(): void {
  git('init', '-q', '-b', 'trunk')
  git('commit', '-q', '--allow-empty', '-m', 'first')
}

describe('[LP67] vigil loop start', () => {
  it('says what was begun and what happens next', async () => {
    const text = await said('start', id, '--prompt', 'fix it', '--max', '5', '--for', '2h')
    expect(text).toContain(`place${count}: loop started; at most 5 iterations, 2 h\n`)
    expect(text).toContain('The agent gets the prompt when it stops next (it is working).')
    expect(text).toContain('This client ends a turn after 8 iterations')
    expect(text).toMatch(/vigil loop stop own-\d+-/)
    const off = { env: { IDLE_LOOP_DISABLE: '1' } }
    const told = await vigil(['loop', 'start', id, '--prompt', 'then this'], off)
    expect(told.stdout).toMatch(/started, nested in its present loop;.*IDLE_LOOP_DISABLE is set/s)
  })

  it('gives the loop as JSON', async () => {
    const text = await said('start', id, '--prompt', 'fix it', '--until', 'make test', '--json')
    expect(JSON.parse(text)).toMatchObject({
      loop: { session: id, mode: 'loop', iteration: 0, max: 10, prompt: 'fix it', open: true },
      delivery: { how: 'next-stop' },
    })
  })

  it('takes the prompt from standard input', async () => {
    const args = ['loop', 'start', id, '--prompt-file', '-', '--json']
    const { stdout } = await vigil(args, { input: 'first this\nthen that\n' })
    expect(JSON.parse(stdout).loop.prompt).toBe('first this\nthen that')
  })

  it('is for the session it runs in, by its variable or by the processes around it', async () => {
    const args = ['loop', 'start', '--prompt', 'x', '--json']
    const named = await vigil(args, { env: { CLAUDE_CODE_SESSION_ID: id } })
    expect(JSON.parse(named.stdout).loop.session).toBe(id)
    await hook('PreToolUse', { tool_name: 'Bash', tool_use_id: 'x' }, { claudePid: process.pid })
    await until('its process is known', async () => (await home.client.session(id))?.pid !== null)
    const around = await vigil(args)
    expect(JSON.parse(around.stdout).loop).toMatchObject({ session: id, frames: { length: 2 } })
    // Everything below is typed by a person again.
    await hook('SessionEnd', { reason: 'other' }, { claudePid: process.pid })
  })

  it('refuses a budget that cannot be measured, and takes one that can', async () => {
    const args = ['start', id, '--prompt', 'x', '--budget', '5']
    const refused = await loop(...args)
    expect(refused).toMatchObject({ status: 2, stdout: '' })
    expect(refused.stderr).toMatch(/the cost of this session is unknown.*install --statusline/)
    const payload = { session_id: id, cost: { total_cost_usd: 1.5 } }
    await home.client.post({ report: { source: 'statusline', payload } })
    expect(await said(...args)).toContain('at most 10 iterations, $5.00')
  })

  it.each([
    ['an empty prompt', ['--prompt', ''], /--prompt: is empty/],
    ['a prompt without end', ['--prompt', 'x'.repeat(20_001)], /at most 20000/],
    ['no iteration', ['--prompt', 'x', '--max', '0'], /--max 0/],
    ['time that is over', ['--prompt', 'x', '--for', '-5m'], /--for -5m/],
    ['a sum that is none', ['--prompt', 'x', '--budget', 'NaN'], /--budget NaN/],
    ['nothing to do', ['--mode', 'grind'], /expected a task/],
    ['a list that is not there', ['--from', 'none.md'], /no such file/],
  ])('refuses %s, in one line', async (_, args, expected) => {
    const { status, stdout, stderr } = await loop('start', id, ...args)
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(expected)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect((await home.client.loops()).loops).toEqual([])
  })

  it('refuses a session that is closed', async () => {
    await hook('SessionEnd', { reason: 'logout' })
    expect((await loop('start', id, '--prompt', 'x')).stderr).toMatch(/closed; resume it first/)
  })
})

describe('[LP68] a loop that goes on', () => {
  it('is shown by every command, with its count and its agent’s last words', async () => {
    await said('start', id, '--prompt', 'fix it')
    expect((await vigil(['status'])).stdout).toMatch(/place\d+ .*loop 0\/10 · /)
    const reason = expect.stringMatching(/^\[ITERATION 1\/10\] .*\n\n.*fix it/s)
    expect(await stops('three tests fail\u001b[2J')).toMatchObject(goesOn(reason))
    await hook('PreToolUse', { tool_name: 'Bash', tool_use_id: 'y' })
    const rows = (await said('status')).split('\n')
    expect(rows[1]).toMatch(/place\d+ +1\/10 +loop +running .* three tests fail \[2J$/)
    expect(await said('status', id)).toMatch(/\[IT 1\/10\] {2}loop {2}running/)
    const history: LoopStep[] = JSON.parse(await said('history', id, '--json'))
    expect(history.map(({ kind }) => kind)).toEqual(['started', 'iteration'])
    expect(await said('hist', id)).toMatch(/\d\d:\d\d:\d\d {2}loop 1\/10 .*three tests fail/)
    expect((await vigil(['why', id])).stdout).toMatch(/^loop 1\/10$/m)
    const [session] = JSON.parse((await vigil(['status', '--json'])).stdout).filter(
      (one: { id: string }) => one.id === id,
    )
    expect(session.loop).toMatchObject({ iteration: 1, max: 10, hold: null })
  })

  it('is shown by vigil watch, in words and in JSON', async () => {
    const watches = [home.spawn(['watch']), home.spawn(['watch', '--json'])]
    await said('start', id, '--prompt', 'fix it')
    await stops('not yet')
    await until('both have told', () =>
      watches.every(({ stdout }) => /loop 1\/10 · |"iteration":1,"max":10/.test(stdout)),
    )
    await Promise.all(watches.map((watch) => watch.kill('SIGINT')))
  })

  it('is paused, resumed and stopped at once', async () => {
    await said('start', id, '--prompt', 'fix it')
    expect(await said('pause', id)).toContain('loop 0/10 paused')
    expect(await stops('done?')).toEqual({ act: 'allow' })
    expect(await said('status', id)).toMatch(/paused: by you/)
    expect((await vigil(['status'])).stdout).toMatch(/loop 0\/10 paused/)
    expect(await said('resume', id)).toMatch(/continues\. vigil could not reach the agent \(.*tmux/)
    expect(await stops('done?')).toMatchObject({ act: 'print', exit: 2 })
    const [stopped]: LoopView[] = [JSON.parse(await said('stop', id, '--json')).loop]
    expect(stopped).toMatchObject({ open: false, event: 'ABORT', reason: 'USER_CANCELLED' })
    expect(await stops('done?')).toEqual({ act: 'allow' })
    expect((await loop('stop', id)).stderr).toMatch(/is not in a loop/)
    expect(await said('status')).toContain('No loop is running.')
    expect(await said('status', '--all')).toMatch(/place\d+ .*stopped by you/)
  })

  it('is done when its command says so', async () => {
    await said('start', id, '--prompt', 'x', '--until', 'cat done')
    expect(await stops('<loop-done>COMPLETE</loop-done>')).toMatchObject(
      goesOn(expect.stringContaining('No such file')),
    )
    writeFileSync(join(cwd, 'done'), '')
    expect(await stops('now')).toEqual({ act: 'allow' })
    expect(await said('status', '--all')).toMatch(/place\d+ .*done/)
  })

  it('takes the items of a checklist one after another', async () => {
    const path = join(cwd, 'list.md')
    writeFileSync(path, '- [ ] Fix a\n- [ ] Fix b\n')
    const text = await said('start', id, '--from', path)
    expect(text).toMatch(/grind started; at most 100 items\n {2}2 items there now\n/)
    expect(await stops('hello')).toMatchObject(goesOn(expect.stringContaining('Fix a')))
    expect(await said('status', id)).toMatch(/issue.*\n.*\n {2}item +Fix a\n {2}within +grind/)
    writeFileSync(path, '- [x] Fix a\n- [ ] Fix b\n')
    const done = '<issue-complete>DONE</issue-complete>'
    expect(await stops(done)).toMatchObject(goesOn(expect.stringContaining('Fix b')))
    writeFileSync(path, '- [x] Fix a\n- [x] Fix b\n')
    expect(await stops(done)).toEqual({ act: 'allow' })
    expect(await said('status', '--all')).toMatch(/done, no items left/)
  })
})

describe('[LP55] [LP57] the worktree of an issue', () => {
  it('is made at the start, and goes with a loop in which nothing was committed', async () => {
    makeRepository()
    const text = await said('start', id, '--item', 'Fix the parser')
    const path = /worktree (\S+), branch/.exec(text)?.[1] ?? ''
    expect(path.startsWith(join(cwd, '.vigil/worktrees/'))).toBe(true)
    expect(existsSync(path)).toBe(true)
    expect(await said('status', id)).toContain('(vigil/')
    expect(await said('stop', id)).toMatch(/worktree and branch removed: .*nothing was committed/)
    expect(existsSync(path)).toBe(false)
    expect(git('branch')).toBe('* trunk')
  })

  it('stays until it is merged, and goes when the loops are looked at', async () => {
    makeRepository()
    const text = await said('start', id, '--item', 'Fix the parser', '--json')
    const [{ worktree }] = JSON.parse(text).loop.frames
    writeFileSync(join(worktree.path, 'new'), 'x')
    expect(await said('stop', id)).toMatch(/worktree kept: .*uncommitted/)
    git('-C', worktree.path, 'add', '.')
    git('-C', worktree.path, 'commit', '-q', '-m', 'new')
    expect(await said('status', id)).toMatch(/worktree kept: .*not merged into trunk/)
    git('merge', '-q', worktree.branch)
    await said('status', '--all', '--json')
    expect(existsSync(worktree.path)).toBe(true)
    expect(await said('status', '--all')).toMatch(/removed: .*merged into trunk/)
    expect(existsSync(worktree.path)).toBe(false)
  })
})

it('[LP90] of other loops are neither shown nor removed with one loop', async () => {
  makeRepository()
  const other = await makeWorktree({ id: '99', title: 'Of another' }, cwd)
  const text = await said('start', id, '--item', 'Fix the parser')
  for (const act of ['status', 'stop']) expect(await said(act, id)).not.toContain('of-another')
  expect('worktree' in other && existsSync(other.worktree.path)).toBe(true)
  expect(existsSync(/worktree (\S+), branch/.exec(text)?.[1] ?? '')).toBe(false)
  expect(await said('status', '--all')).toContain('of-another')
})

describe('[LP69] a loop’s state', () => {
  it('is exported and taken up by another session', async () => {
    await said('start', id, '--prompt', 'fix it', '--max', '7')
    await stops('not yet')
    const state = await said('export', id)
    expect(JSON.parse(state)).toMatchObject({ schema: 1, event: 'STATE', stack: { length: 1 } })
    await said('stop', id)
    const other = `${OWN}other-${count}`
    home.write({ session_id: other, hook_event_name: 'UserPromptSubmit', cwd, prompt: 'x' })
    await until('it is known', async () => home.client.session(other))
    const { stdout } = await vigil(['loop', 'import', other, '-', '--json'], { input: state })
    expect(JSON.parse(stdout).loop).toMatchObject({ session: other, iteration: 1, max: 7 })
    const broken = await vigil(['loop', 'import', id, '-'], { input: '{"schema":' })
    expect(broken).toMatchObject({ status: 2, stdout: '' })
    const twice = await vigil(['loop', 'import', other, '-'], { input: state })
    expect(twice).toMatchObject({ status: 2, stderr: expect.stringMatching('in a loop already') })
    const at = (updated_at: string, over = {}) =>
      vigil(['loop', 'import', id, '-'], {
        input: JSON.stringify({ ...JSON.parse(state), updated_at, ...over }),
      })
    const badTime = await at('yesterday')
    expect(badTime).toMatchObject({ status: 2, stderr: expect.stringMatching('state: updated_at') })
    const empty = await at(new Date().toISOString(), { stack: [] })
    expect(empty.stdout).toMatch(/it is over .*: it does not continue/)
    const stale = await at('2020-01-01T00:00:00Z')
    expect(stale.stdout).toMatch(/it ends as stuck at the next stop: no iteration for \d+ d/)
    const missing = await loop('import', id, join(cwd, 'none'))
    expect(missing.stderr).toMatch(/none: no such file/)
  })
})
