import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '../../lab/drive/client.ts'
import { openStage, type Stage } from '../../lab/drive/stage.ts'
import { type Reply, type Script, say, script } from '../../lab/model/script.ts'
import { type UntilOptions, until } from '../../lab/until.ts'
import type { LoopStep, LoopView } from '../../src/protocol/loop.ts'
import { Vigil } from '../e2e/vigil.ts'
import { CODE_CACHE } from '../support/code-cache.ts'

export const DONE = '<loop-done>COMPLETE</loop-done>'
export const TASK = 'mend the engine'

/** An answer for each turn of a loop: what begins it, and what follows every Stop that is kept. */
export function turns(name: string, ...replies: readonly Reply[]): Script {
  const [first = [], ...rest] = replies
  return rest.reduce((talk, reply) => talk.next(...reply), script(name).on(TASK, ...first))
}

/** So many turns of talk, no two alike. */
export function talk(count: number, overMs = 300): Reply[] {
  return Array.from({ length: count }, (_, n) => [say(`Part ${n + 1} of it.`, { overMs })])
}

export interface LoopStageOptions {
  readonly settings?: object
  /** Of the client; the newest unless given. */
  readonly version?: string | undefined
}

/** The real client with vigil installed, and a daemon that watches. */
export class LoopStage {
  readonly stage: Stage
  readonly vigil: Vigil

  constructor(stage: Stage) {
    this.stage = stage
    this.vigil = new Vigil(stage)
  }

  static async open(
    talk: Script,
    { settings, version }: LoopStageOptions = {},
  ): Promise<LoopStage> {
    const env = ({ root }: { root: string }) => ({ VIGIL_HOME: join(root, 'vigil'), ...CODE_CACHE })
    const opened = new LoopStage(
      await openStage(talk, { env, ...(version && { client: version }) }),
    )
    const path = join(opened.stage.place.home, '.claude/settings.json')
    if (settings) writeFileSync(path, JSON.stringify(settings))
    await opened.vigil.run(['install'])
    await opened.vigil.status()
    return opened
  }

  /** A client that stands idle, as vigil sees it, and the id of its session. */
  async claude(args: readonly string[] = []): Promise<{ client: Client; session: string }> {
    const client = await this.stage.claude(args)
    const { id } = await this.vigil.says({ pid: client.pane.pid }, { state: 'idle' })
    return { client, session: id }
  }

  /** The same with vigil's plugin, which the client loads after it has drawn its input line. */
  async claudeWithPlugin(): Promise<{ client: Client; session: string }> {
    const { client, session } = await this.claude()
    await until('the client knows the plugin', async () => {
      await client.pane.type('/vigil:lo')
      const menu = client.pane.sees(/\/vigil:loop /, { withinMs: 2_000 })
      const isKnown = await menu.then(() => true).catch(() => false)
      await client.pane.press('C-u')
      return isKnown
    })
    await client.pane.sees((screen) => !screen.includes('/vigil:lo'))
    return { client, session }
  }

  /** A person lets the loop type. */
  async start(session: string, ...args: string[]) {
    await this.vigil.run(['typing', session, 'on'])
    return this.vigil.run(['loop', 'start', session, '--prompt', TASK, ...args])
  }

  async loop(session: string): Promise<LoopView | undefined> {
    const { stdout } = await this.vigil.run(['loop', 'status', session, '--json'])
    const found = JSON.parse(stdout) as LoopView | LoopView[]
    return Array.isArray(found) ? found.find((loop) => loop.session === session) : found
  }

  async steps(session: string): Promise<LoopStep[]> {
    const { stdout } = await this.vigil.run(['loop', 'history', session, '--json'])
    const told = JSON.parse(stdout) as LoopStep[] | { steps: LoopStep[] }
    return Array.isArray(told) ? told : told.steps
  }

  /** Waits until the loop of a session is so. */
  async becomes(
    session: string,
    isSo: (loop: LoopView) => boolean,
    options: UntilOptions = {},
  ): Promise<LoopView> {
    let last: LoopView | undefined
    const look = async () => {
      last = await this.loop(session)
      return last && isSo(last) ? last : undefined
    }
    const shows = () => JSON.stringify(last, null, 2)
    return until(`the loop: ${isSo}`, look, { shows, withinMs: 30_000, ...options })
  }

  ended(session: string, options: UntilOptions = {}): Promise<LoopView> {
    return this.becomes(session, ({ open }) => !open, options)
  }

  async end(): Promise<void> {
    await this.vigil.run(['stop']).catch(() => {})
    await this.stage.end()
  }
}
