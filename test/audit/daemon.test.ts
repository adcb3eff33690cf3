import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { canonicalJson } from '../../src/core/json.ts'
import { headFileOf } from '../../src/store/audit-head.ts'
import { sha256 } from '../../src/store/chain.ts'
import { DaemonHome } from '../support/daemon.ts'
import { hookAsks, type WaitingHook } from '../support/hook-asks.ts'

let home: DaemonHome
const hooks: WaitingHook[] = []
beforeEach(() => {
  home = new DaemonHome()
})
afterEach(async () => {
  for (const hook of hooks.splice(0)) hook.end()
  await home.end()
})

/** A request of the real hook, answered over the socket; returns the answer for its client. */
async function answered(session: string, tool: string, input: object): Promise<string> {
  const hook = await hookAsks(home, session, tool, input)
  hooks.push(hook)
  const [request] = (await home.client.requests(session)).requests
  const shown = request?.digest ?? ''
  await home.client.answer(request?.id ?? '', { choice: 'allow', where: 'cli', shown })
  return hook.said
}

const verify = (...args: string[]) => home.run(['audit', 'verify', ...args])
const stop = async () => expect((await home.run(['stop'])).code).toBe(0)

function change(sql: string): void {
  const db = new DatabaseSync(home.folders.database)
  db.exec(sql)
  db.close()
}

it('[AU8] an answer has what was decided on, whole, and what the agent got', async () => {
  await home.start()
  const long = { file_path: '/srv/a', content: 'é'.repeat(150_000), also: 'z'.repeat(100_000) }
  const input = { sudo: true, command: 'rm -rf build', description: '\u202e' }
  const said = JSON.parse(await answered('one', 'Bash', input))
  await answered('two', 'Write', long)
  const { acts } = await home.client.audit()
  const [short, whole] = acts
  const shown = JSON.parse(short?.shown ?? '')
  expect(shown).toMatchObject({ tool: 'Bash', input })
  expect(said.hookSpecificOutput.decision).toEqual(shown.decision.hookSpecificOutput.decision)
  expect(short).toMatchObject({ digest: sha256(canonicalJson(shown)), words: 'allowed Bash' })
  expect(JSON.parse(whole?.shown ?? '')).toMatchObject({ tool: 'Write', input: long })
  expect(Object.keys(shown)).toEqual(['decision', 'input', 'request', 'tool'])
})

it('[AU3] [AU9] a chain goes on over restarts, its head elsewhere, with stops in it', async () => {
  await home.start()
  await answered('one', 'Bash', { command: 'ls' })
  await stop()
  await home.start()
  await Promise.all(
    ['a', 'b', 'c'].map((session) => answered(session, 'Bash', { command: session })),
  )
  const { acts } = await home.client.audit()
  expect(acts.map(({ what }) => what)).toEqual(['answer', 'stop', 'answer', 'answer', 'answer'])
  expect(acts[1]).toMatchObject({ session: '', who: 'the user, over the socket', where: 'api' })
  const head = JSON.parse(readFileSync(headFileOf(home.folders), 'utf8'))
  expect(head).toEqual({ act: 5, hash: acts[4]?.hash })
  const { code, stdout } = await verify('--json')
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    { whole: true, acts: 5, comparedWithLog: 5 },
  ])
})

it('[AU3] a log that was cut at its end is noticed, and the next daemon notes it', async () => {
  await home.start()
  for (const session of ['a', 'b', 'c']) await answered(session, 'Bash', { command: session })
  await stop()
  change('DELETE FROM acts WHERE id >= 3')
  const { code, stdout } = await verify()
  expect(code).toBe(1)
  expect(stdout).toMatch(/^BROKEN/)
  expect(stdout).toMatch(/act 3: act 4 \([^)]*\) is in audit-head\.json, not in the log/)
  expect((await verify('--from', '4')).code).toBe(0)
})

it('[AU3] while the daemon runs, a log that was cut at its end is noticed', async () => {
  await home.start()
  for (const session of ['a', 'b']) await answered(session, 'Bash', { command: session })
  change('DELETE FROM acts WHERE id = 2')
  const both = await verify()
  expect([both.code, both.stdout]).toEqual([1, expect.stringContaining('audit-head.json')])
  // Either place alone tells it.
  const first = home.query('SELECT id AS act, hash FROM acts')
  writeFileSync(headFileOf(home.folders), JSON.stringify(first[0]))
  const log = await verify()
  expect([log.code, log.stdout]).toEqual([1, expect.stringContaining('vigil.log')])
})

it('[AU3] a database that was replaced as a whole is noticed', async () => {
  await home.start()
  await answered('one', 'Bash', { command: 'ls' })
  await stop()
  for (const end of ['', '-wal', '-shm']) rmSync(`${home.folders.database}${end}`, { force: true })
  await home.start()
  const { code, stdout } = await verify()
  expect([code, stdout]).toEqual([1, expect.stringContaining('not in the log')])
})

it('[AU2] an export is verified by itself, and against a hash kept elsewhere', async () => {
  await home.start()
  for (const session of ['a', 'b', 'c']) await answered(session, 'Bash', { command: session })
  const { stdout } = await home.run(['audit', 'export', '--json'])
  const lines = stdout.trimEnd().split('\n')
  const file = join(home.path, 'audit.jsonl')
  const verdictOn = async (kept: readonly string[], ...args: string[]) => {
    writeFileSync(file, `${kept.join('\n')}\n`)
    return (await verify(file, ...args)).code
  }
  const head = JSON.parse(lines[2] ?? '').hash
  expect(await verdictOn(lines, '--head', head)).toBe(0)
  expect(await verdictOn(lines.slice(0, 2), '--head', head)).toBe(1)
  expect(await verdictOn(lines.toSpliced(1, 1))).toBe(1)
  expect(await verdictOn(lines.toReversed())).toBe(1)
  expect(await verdictOn(lines.map((line) => line.replaceAll('\\"b\\"', '\\"x\\"')))).toBe(1)
  expect((await verify('--head', head)).code).toBe(0)
  expect((await verify('--head', 'f'.repeat(64))).code).toBe(1)
  expect((await verify('--head', 'abc')).code).toBe(2)
  expect((await verify(join(home.path, 'absent'))).code).toBe(1)
})

it('[AU10] vigil audit lists what was done, of a session, since a time, newest last', async () => {
  await home.start()
  for (const session of ['a', 'b', 'c']) await answered(session, 'Bash', { command: session })
  const list = async (...args: string[]) => (await home.run(['audit', ...args])).stdout.trimEnd()
  expect((await list()).split('\n')).toHaveLength(3)
  expect(await list('--limit', '1')).toMatch(/#3 .*answer {5}allowed Bash {2}\(the user/)
  expect(await list('--session', 'b')).toMatch(/#2 /)
  expect((await list('--since', '1h')).split('\n')).toHaveLength(3)
  expect(await list('--since', '2999-01-01')).toBe('nothing has been done through vigil')
  expect(JSON.parse(await list('--json', '--limit', '1'))).toMatchObject({ id: 3 })
  expect(JSON.parse(await list('--json', '--session', 'b'))).toMatchObject({ session: 'b' })
  expect((await home.run(['audit', '--since', 'soon'])).code).toBe(2)
  expect((await home.run(['answers', 'log'])).stdout).toContain('allowed Bash')
})
