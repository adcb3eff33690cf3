import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { DaemonHome, OWN, turn, until } from '../support/daemon.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const LATER = '99.1.0'

let later: string
let home: DaemonHome

/** The same program under a later version: real files, since Node resolves links. */
beforeAll(() => {
  later = mkdtempSync(join(tmpdir(), 'vigil-later-'))
  for (const folder of ['bin', 'src', 'hook'])
    cpSync(join(ROOT, folder), join(later, folder), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(later, 'node_modules'))
  const manifest = { name: 'agent-vigil', version: LATER, type: 'module' }
  writeFileSync(join(later, 'package.json'), JSON.stringify(manifest))
})
afterAll(() => rmSync(later, { recursive: true, force: true, maxRetries: 10 }))
beforeEach(() => {
  home = new DaemonHome()
})
afterEach(() => home.end())

const laterCommand = () => join(later, 'bin/vigil.js')

it('[K8] a newer daemon takes over; a watcher misses nothing and repeats nothing', async () => {
  const old = await home.start()
  const watching = home.spawn(['watch', '--json'])
  await until('the watcher listens', async () => (await home.client.health()).subscribers === 1)
  let written = 0
  const write = () => {
    const event = Math.floor(written / 7) % 2 === 0 ? 'UserPromptSubmit' : 'Stop'
    home.write(turn(`s${written % 7}`, written, event))
    written += 1
  }
  const writing = setInterval(write, 10)
  await until('it is under way', () => written > 60)
  const fresh = await home.start(laterCommand())
  const { code } = await old.ended
  expect(code).toBe(0)
  expect(home.announced()).toMatchObject({ pid: fresh.pid, version: LATER })
  const before = written
  await until('the newer one is at work', () => written > before + 60)
  clearInterval(writing)
  await home.taken()
  expect(await home.states()).toHaveLength(7)
  expect(home.nonces().size).toBe(written)

  home.write(turn('last', 'last'))
  await until('the watcher has the change', () => watching.stdout.includes('"session":"own-last"'))
  const { stdout } = await watching.kill('SIGTERM')
  const lines = stdout.trimEnd().split('\n')
  const told = lines.map((line) => JSON.parse(line)).filter(({ session }) => isOwn(session))
  expect(told.map(({ t, session, state }) => ({ t, session, state }))).toEqual(changes())
}, 60_000)

it('[K8] an older daemon leaves a newer one alone, and so do its commands', async () => {
  const fresh = await home.start(laterCommand())
  const { code, stderr } = await home.run(['daemon', '--quiet'])
  expect(code).toBe(0)
  expect(stderr).toBe(`vigil: a daemon is running already (pid ${fresh.pid}, ${LATER})\n`)
  home.write(turn('s1', 1))
  await home.taken()
  const status = await home.run(['status', '--json'])
  expect(ownIn(status.stdout)).toMatchObject([{ id: 'own-s1', state: 'working' }])
  expect(home.daemons()).toEqual([fresh.pid])
  expect(fresh.isOver).toBe(false)
})

it('[K8] a newer command replaces an older daemon by one of its own', async () => {
  const old = await home.start()
  home.write(turn('s1', 1))
  await home.taken()
  const { stdout, stderr } = await home.run(['status', '--json'], laterCommand())
  // On a busy machine it says after two seconds what it waits for.
  expect(stderr.replaceAll(/^vigil: the daemon is starting: .*…\n/gm, '')).toBe('')
  expect(ownIn(stdout)).toMatchObject([{ id: 'own-s1', state: 'working' }])
  expect((await old.ended).code).toBe(0)
  expect(home.announced()).toMatchObject({ version: LATER })
})

/** What the log says was reported. */
function changes(): object[] {
  return home
    .query(`SELECT t, session, json_extract(body, '$.verdict.state') AS state
            FROM changes WHERE kind = 'verdict' ORDER BY id`)
    .filter(({ session }) => isOwn(session))
    .map((row) => ({ ...row }))
}

function isOwn(id: unknown): boolean {
  return String(id).startsWith(OWN)
}

function ownIn(json: string): object[] {
  return JSON.parse(json).filter(({ id }: { id: unknown }) => isOwn(id))
}
