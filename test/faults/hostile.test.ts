import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BadRequest } from '../../src/client/errors.ts'
import { DaemonHome, turn, until } from '../support/daemon.ts'
import { layOdd, malformed, TRICKS, whole } from './hostile.ts'

const COUNT = 1_000
const SECRET = 'the-canary-was-read'

it('[S6][S7] whatever lies in the spool: good reports are taken, the rest is said', async () => {
  const root = mkdtempSync(join(tmpdir(), 'vigil-hostile-'))
  const home = new DaemonHome({ path: join(root, 'home') })
  const canary = layCanary(root)
  const before = lookAt(root)
  const daemon = await home.start()
  const server = await layOdd(home.folders.spool, canary)
  const good: string[] = []
  try {
    const bad = malformed(COUNT)
    for (const [index, content] of bad.entries()) {
      writeFileSync(join(home.folders.spool, `hook.${100_000 + index}`), content)
      good.push(home.write(turn(`s${index % 20}`, index)))
    }
    for (const [index, id] of TRICKS.entries()) {
      const payload = { ...turn('', `trick${index}`), session_id: id, transcript_path: canary }
      writeFileSync(join(home.folders.spool, `hook.${200_000 + index}`), whole(payload))
    }
    // Not taken are only those that are incomplete or no files.
    const names = new Set(good.map((path) => path.slice(path.lastIndexOf('/') + 1)))
    await until('all good ones are taken', () => !home.waiting().some((name) => names.has(name)))
    await until(
      'the tricks are taken',
      () => !home.waiting().some((name) => /^hook\.200/.test(name)),
    )

    expect(daemon.isOver).toBe(false)
    const nonces = home.nonces()
    for (let index = 0; index < COUNT; index++) expect(nonces.get(String(index))).toBe(1)
    for (const index of TRICKS.keys()) expect(nonces.get(`trick${index}`)).toBe(1)
    expect(nonces.has('inner')).toBe(false)
    for (const said of [/spool file was set aside/, /found a link/, /larger than \d+ bytes/])
      await until(`it says ${said}`, () => said.test(home.log()))
    expect(readdirSync(join(home.path, 'rejected')).length).toBeLessThanOrEqual(100)

    await askAbout(home)
    expect(lookAt(root)).toEqual(before)
    expect(contentsOf(home.path).filter((text) => text.includes(SECRET))).toEqual([])
    await daemon.kill()
    await home.start()
    await askAbout(home)
  } finally {
    server.close()
    await home.end()
    rmSync(root, { recursive: true, force: true, maxRetries: 10 })
  }
})

/** Every session, whatever its id, can be listed and asked for by it. */
async function askAbout(home: DaemonHome): Promise<void> {
  const { sessions } = await home.client.sessions()
  // What other tests run on this machine may be gone by the time it is asked for.
  const ids = new Set(sessions.map(({ id }) => id).filter((id) => !id.startsWith('process:')))
  expect([...ids].filter((id) => /^own-s\d+$/.test(id))).toHaveLength(20)
  for (const id of ids) {
    const answer = await home.client.explain(id).catch((error) => error)
    if (answer instanceof BadRequest) expect([id, answer.status]).toEqual([id, 400])
    else if (!/^\.{0,2}$/.test(id))
      expect(answer?.session.id.toWellFormed()).toBe(id.toWellFormed())
  }
  const { code, stdout } = await home.run(['status', '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout).length).toBeGreaterThanOrEqual(20)
  const table = (await home.run(['status'])).stdout
  expect(table).not.toContain('\u001b]0;')
}

/** A file whose last read is older than its last write: any read changes that. */
function layCanary(root: string): string {
  const folder = join(root, 'elsewhere')
  mkdirSync(folder)
  const canary = join(folder, 'x')
  writeFileSync(canary, `${JSON.stringify({ type: 'user', secret: SECRET })}\n`)
  utimesSync(canary, 1_000, 2_000)
  return canary
}

function lookAt(root: string): object {
  const found = statSync(join(root, 'elsewhere', 'x'))
  const { atimeMs, mtimeMs, ctimeMs, size, mode } = found
  const names = [readdirSync(root), readdirSync(join(root, 'elsewhere'))]
  return { atimeMs, mtimeMs, ctimeMs, size, mode, names }
}

function contentsOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .filter((entry) => !entry.parentPath.endsWith('/spool'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
}
