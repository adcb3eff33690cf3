import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { brokenGates, PORTABLE_GATES } from '../../lab/score/gates.ts'
import type { SumFigures } from '../../lab/score/sums.ts'
import { fileText } from '../../src/home/plain-file.ts'
import { EVERYTHING } from '../run/steps.ts'
import { DaemonHome, OWN, until } from '../support/daemon.ts'
import { itUnless, NO_PROC } from '../support/needs.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** A daemon in the portable mode. */
async function portableDaemon(env: Readonly<Record<string, string>> = {}) {
  const home = new DaemonHome()
  onTestFinished(() => home.end())
  Object.assign(home.env, { VIGIL_PORTABLE: '1', ...env })
  const { pid = 0 } = await home.start()
  return { home, pid }
}

const prompt = (id: string) => ({
  ...{ session_id: id, hook_event_name: 'UserPromptSubmit', prompt: 'go' },
  ...{ transcript_path: `/x/${id}.jsonl`, cwd: '/x' },
})

itUnless(NO_PROC)('[PT1] the portable mode has no watch of the system’s', async () => {
  const { pid } = await portableDaemon()
  const usual = new DaemonHome()
  onTestFinished(() => usual.end())
  const { pid: other = 0 } = await usual.start()
  const watchesOf = (one: number) =>
    readdirSync(`/proc/${one}/fdinfo`).flatMap((fd) => {
      // One may be closed meanwhile.
      const text = fileText(`/proc/${one}/fdinfo/${fd}`) ?? ''
      return text.match(/^inotify /gm) ?? []
    })
  await until('the usual mode watches', () => watchesOf(other).length > 0)
  expect(watchesOf(pid)).toEqual([])
})

it('[PT2] the portable daemon is known by its date, in UTC wherever it runs', async () => {
  const { home, pid } = await portableDaemon({ TZ: 'Asia/Tokyo' })
  const env = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
  const said = execFileSync('ps', ['-o', 'lstart=', '-p', `${pid}`], { env, encoding: 'utf8' })
  const { start } = home.announced() as unknown as { readonly start: string }
  const seconds = (date: string) => Date.parse(`${date.trim()} UTC`) / 1000
  expect(Math.abs(seconds(start) - seconds(said))).toBeLessThanOrEqual(1)
  home.env.TZ = 'America/Lima'
  const { stderr } = await home.run(['daemon'])
  expect(stderr).toContain('a daemon is running already')
})

it('[PT7] reports are taken without an event, and the pipe goes with the daemon', async () => {
  const { home } = await portableDaemon()
  const pipe = join(home.folders.run, 'wake')
  expect(statSync(pipe).isFIFO()).toBe(true)
  expect(statSync(pipe).mode & 0o777).toBe(0o600)
  home.write(prompt(`${OWN}a`))
  await until('it is taken by the next look', async () => (await home.states()).length === 1)
  await home.client.stop('done')
  await until('the pipe is gone', () => !existsSync(pipe))
})

it('[PT9] Windows is refused in one line that says what to do', () => {
  // A vigil that goes on all the same starts its daemon there.
  const home = new DaemonHome()
  onTestFinished(() => home.end())
  const windows = "Object.defineProperty(process, 'platform', { value: 'win32' })"
  const args = ['--import', `data:text/javascript,${windows}`, join(ROOT, 'bin/vigil.js'), 'status']
  const options = { encoding: 'utf8', env: home.env } as const
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options)
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toMatch(/^vigil: Windows is not supported: install vigil inside WSL.*\n$/)
})

it('[PT13] the portable gate is open at 99 % and 1 s, whatever the delays', () => {
  const late = { balancedPercent: 98, delayMedianMs: 300, delayP99Ms: 900 }
  const at = (rightPercent: number, worstMs: number) =>
    brokenGates({ ...late, rightPercent, worstMs } as SumFigures, PORTABLE_GATES)
  expect(at(99, 1_000)).toEqual([])
  expect(at(98.99, 1_000)).toEqual(['right 98.99 %, at least 99'])
  expect(at(99, 1_001)).toEqual(['longest wrong 1001 ms, at most 1000'])
})

it('[PT13] it is among what `npm run verify` does', () => {
  expect(EVERYTHING).toContain('portable')
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(scripts['lab:portable']).toMatch(/^VIGIL_PORTABLE=1 node lab\/run\.ts --live --gate \w/)
})
