import { fileURLToPath } from 'node:url'
import type { Output, RunOptions, Stage } from '../../lab/drive/stage.ts'
import { until } from '../../lab/until.ts'
import type { Session } from '../../src/protocol/session.ts'

const program = fileURLToPath(new URL('../../bin/vigil.js', import.meta.url))

/** Generous: three runs of `vigil status` on a machine that has other things to do. */
const REACHED_WITHIN_MS = 5_000

/** vigil as its user has it: the command line, and nothing behind it. */
export class Vigil {
  readonly #stage: Stage

  constructor(stage: Stage) {
    this.#stage = stage
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

  /**
   * Waits until vigil shows such a session in this state; returns it as reported. One that is
   * looked for by its process has its own id by then: clients without a registry tell it late.
   */
  async says(who: Partial<Session>, what: Partial<Session>): Promise<Session> {
    let last: Session[] = []
    const look = async () => {
      last = await this.status()
      const named = last.filter(({ id }) => who.pid === undefined || !id.startsWith('process:'))
      return named.find((session) => fits(session, { ...who, ...what }))
    }
    return until(`vigil to say ${JSON.stringify(what)} of ${JSON.stringify(who)}`, look, {
      withinMs: REACHED_WITHIN_MS,
      shows: () => `vigil said at last:\n${JSON.stringify(last, null, 2)}`,
    })
  }
}

function fits(session: Session, wanted: Partial<Session>): boolean {
  return Object.entries(wanted).every(([name, value]) => session[name as keyof Session] === value)
}
