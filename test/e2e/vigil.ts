import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Output, RunOptions, Stage } from '../../lab/drive/stage.ts'
import { until } from '../../lab/until.ts'
import { type Client, connect } from '../../src/client/client.ts'
import { foldersOf } from '../../src/home/folders.ts'
import type { Session } from '../../src/protocol/session.ts'

const program = fileURLToPath(new URL('../../bin/vigil.js', import.meta.url))

/** vigil as its user has it: the command line, and nothing behind it. */
export class Vigil {
  readonly #stage: Stage
  readonly #daemon: Client

  constructor(stage: Stage) {
    this.#stage = stage
    this.#daemon = connect(foldersOf({ VIGIL_HOME: join(stage.place.root, 'vigil') }))
  }

  /** What is typed to run it in a terminal. */
  command(...args: string[]): string[] {
    return [process.execPath, program, ...args]
  }

  async run(args: readonly string[], options: RunOptions = {}): Promise<Output> {
    const output = await this.#stage.run(this.command(...args), options)
    if (output.code === 0) return output
    throw new Error(`vigil ${args.join(' ')}: exit ${output.code}\n${output.stderr}`)
  }

  async status(): Promise<Session[]> {
    return JSON.parse((await this.run(['status', '--json'])).stdout)
  }

  /** Waits until a session that is so is said to be so; gives it back as it was told. */
  async says(who: Partial<Session>, what: Partial<Session>): Promise<Session> {
    let last: readonly Session[] = []
    const isSo = (session: Session) => fits(session, { ...who, ...what })
    // The command starts the daemon and has the last word; asked all the time it would keep the
    // machine so busy that the client is late.
    await this.status()
    const look = async () => {
      last = await this.#daemon.sessions().then(
        ({ sessions }) => sessions,
        () => this.status(),
      )
      return last.some(isSo) ? (await this.status()).find(isSo) : undefined
    }
    return until(`vigil to say ${JSON.stringify(what)} of ${JSON.stringify(who)}`, look, {
      shows: () => `vigil said at last:\n${JSON.stringify(last, null, 2)}`,
    })
  }
}

function fits(session: Session, wanted: Partial<Session>): boolean {
  return Object.entries(wanted).every(([name, value]) => session[name as keyof Session] === value)
}
