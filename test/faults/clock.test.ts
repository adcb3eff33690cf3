import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { DaemonHome, type Running, turn, until } from '../support/daemon.ts'

const HOUR_MS = 3_600_000
const YEAR_MS = 365 * 24 * HOUR_MS

const BEFORE = ['own-bare working', 'own-busy working', 'own-done idle']

/** A daemon whose machine has a clock of its own, with three sessions. */
class Scene {
  readonly home = new DaemonHome()
  readonly #clients = { busy: spawn('sleep', ['600']), done: spawn('sleep', ['600']) }
  #nonce = 0
  offsetMs = 0

  async begin(): Promise<Running> {
    const { env, path } = this.home
    env.NODE_OPTIONS = `--import ${fileURLToPath(new URL('./set-clock.ts', import.meta.url))}`
    env.VIGIL_TEST_CLOCK = join(path, 'clock')
    const daemon = await this.home.start()
    this.report('busy', 'UserPromptSubmit')
    this.report('done', 'UserPromptSubmit')
    this.report('done', 'Stop')
    this.report('bare', 'UserPromptSubmit')
    await this.home.taken()
    return daemon
  }

  /** A hook of a machine whose clock is off as much. */
  report(session: string, event: string): void {
    const pid = this.#clients[session as 'busy' | 'done']?.pid
    const head: Record<string, number> = pid === undefined ? {} : { claudePid: pid }
    this.#nonce += 1
    this.home.write(turn(session, this.#nonce, event), head, Date.now() + this.offsetMs)
  }

  jump(byMs: number): void {
    this.offsetMs += byMs
    const draft = join(this.home.path, 'clock.draft')
    writeFileSync(draft, String(this.offsetMs))
    renameSync(draft, this.home.env.VIGIL_TEST_CLOCK ?? '')
  }

  async end(): Promise<void> {
    for (const client of Object.values(this.#clients)) {
      client.kill('SIGKILL')
      await once(client, 'exit')
    }
    await this.home.end()
  }
}

/** All at once: they wait for most of their time. */
describe.concurrent('a clock', () => {
  it.for([
    ['back by an hour', -HOUR_MS],
    ['forward by an hour', HOUR_MS],
    ['forward by a year', YEAR_MS],
    ['back by a year', -YEAR_MS],
  ] as const)(
    '[M1][M8] set %s makes no verdict wrong, and later reports count',
    async ([, byMs], { expect, onTestFinished }) => {
      const scene = new Scene()
      onTestFinished(() => scene.end())
      const { home } = scene
      const daemon = await scene.begin()
      expect(await home.states()).toEqual(BEFORE)
      const watching = home.spawn(['watch', '--json'])
      await until('it listens', async () => (await home.client.health()).subscribers === 1)
      scene.jump(byMs)
      // Asked all the time, from the jump on: no look at the clock may come too late.
      const until3s = performance.now() + 3_000
      const seen = new Set<string>()
      while (performance.now() < until3s) {
        for (const state of await home.states()) seen.add(state)
        await sleep(10)
      }
      expect([...seen].toSorted()).toEqual(BEFORE)
      scene.report('busy', 'Stop')
      scene.report('done', 'UserPromptSubmit')
      scene.report('bare', 'Stop')
      scene.report('late', 'UserPromptSubmit')
      await home.taken()
      const after = ['own-bare idle', 'own-busy idle', 'own-done working', 'own-late working']
      expect(await home.states()).toEqual(after)
      expect(watching.stdout).not.toMatch(/"own-[^}]*"state":"(stuck|closed)"/)
      const { now, durable } = await home.client.health()
      expect(durable).toBe(true)
      expect(Math.abs(now - Date.now() - scene.offsetMs)).toBeLessThan(60_000)

      // And once more the other way, which is what a clock set wrong by mistake does next.
      scene.jump(-byMs)
      await sleep(2_500)
      expect(await home.states()).toEqual(after)
      scene.report('late', 'Stop')
      await home.taken()
      expect((await home.states()).at(-1)).toBe('own-late idle')
      await daemon.kill()
      await home.start()
      expect(await home.states()).toEqual([...after.slice(0, 3), 'own-late idle'])
    },
  )
})
