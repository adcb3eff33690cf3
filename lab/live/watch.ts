import { setTimeout as sleep } from 'node:timers/promises'
import type { Session } from '../../src/protocol/session.ts'
import { truthOf } from '../../src/recording/truth.ts'
import type { PlayOptions, Watcher } from '../play.ts'
import type { Recorder } from '../record/recorder.ts'
import { Daemon, type Watched } from './daemon.ts'

export interface LiveOptions {
  /** False: vigil is not installed, and works without hooks. */
  readonly hooks: boolean
  /** False: the daemon cannot reach the server of an agent. */
  readonly server?: boolean
  /**
   * Kills the daemon, and starts it again, when the client has changed its state this many times.
   */
  readonly restartAt?: number
}

const NO_SERVER = new URL('no-server.ts', import.meta.url).href

/** A daemon runs long before most clients; its own start is measured elsewhere. */
const SETTLE_MS = 1_000

/** How often the daemon is asked. */
const SAMPLE_EVERY_MS = 50

/** How long the daemon is away: long enough to miss events, as after a crash at night. */
const AWAY_MS = 1_000

/** After its return, so that its verdict can be seen to last. */
const BACK_MS = 2_500

/** The real daemon beside the run; its verdicts on the stage's clients go into the recording. */
export function watchLive(options: LiveOptions): NonNullable<PlayOptions['watch']> {
  return async (stage, recorder) => {
    const live = new Live(stage, recorder, options)
    await live.start()
    return live
  }
}

class Live implements Watcher {
  readonly #stage: Watched
  readonly #recorder: Recorder
  readonly #options: LiveOptions
  readonly #daemon: Daemon
  #on = true
  #ending = false
  #said: string | undefined
  #backAt: number | undefined
  #loops: readonly Promise<void>[] = []

  constructor(stage: Watched, recorder: Recorder, options: LiveOptions) {
    this.#stage = stage
    this.#recorder = recorder
    this.#options = options
    this.#daemon = new Daemon(stage, options.server === false ? [NO_SERVER] : [])
  }

  async start(): Promise<void> {
    if (this.#options.hooks) this.#daemon.install()
    await this.#daemon.start()
    await sleep(SETTLE_MS)
    this.#loops = [this.#sample(), this.#restart()]
  }

  async stop(): Promise<void> {
    if (this.#options.restartAt !== undefined) await this.#settle()
    this.#on = false
    await Promise.all(this.#loops)
    // The last verdict held until now.
    this.#recorder.note('vigil', { event: 'stopped' })
    await this.#daemon.stop()
  }

  /** A conversation that ends early is watched until the daemon has had its chance. */
  async #settle(): Promise<void> {
    this.#ending = true
    await this.#loops[1]
    await sleep(Math.max(0, (this.#backAt ?? 0) + BACK_MS - Date.now()))
  }

  async #sample(): Promise<void> {
    for (let next = performance.now(); this.#on; next += SAMPLE_EVERY_MS) {
      const sessions = await this.#ask()
      const said = JSON.stringify(sessions)
      if (said !== this.#said) this.#recorder.note('vigil', { sessions })
      this.#said = said
      await sleep(Math.max(0, next + SAMPLE_EVERY_MS - performance.now()))
    }
  }

  /** Only the stage's sessions: the machine may have others, and vigil rightly lists them. */
  async #ask(): Promise<object[] | null> {
    const { root } = this.#stage.place
    try {
      const { sessions } = await this.#daemon.client.sessions()
      return sessions.filter(({ cwd }) => cwd?.startsWith(root)).map(kept)
    } catch {
      return null
    }
  }

  async #restart(): Promise<void> {
    const { restartAt } = this.#options
    if (restartAt === undefined) return
    // A client without a status, or a run that went another way: then at its end.
    while (truthOf(this.#recorder.lines).length < restartAt && !this.#ending) await sleep(10)
    await this.#daemon.kill()
    this.#recorder.note('vigil', { event: 'killed' })
    await sleep(AWAY_MS)
    await this.#daemon.start()
    this.#backAt = Date.now()
    this.#recorder.note('vigil', { event: 'returned' })
  }
}

function kept({ id, pid, cwd, state, since, rule, reason, ...more }: Session): object {
  return { id, pid, cwd, state, for: more.for, since, rule, reason }
}
