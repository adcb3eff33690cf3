import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Client } from '../../lab/drive/client.ts'
import { openStage, type RunOptions, type Stage } from '../../lab/drive/stage.ts'
import type { Script } from '../../lab/model/script.ts'
import { until } from '../../lab/until.ts'
import { connect, type Client as Daemon } from '../../src/client/client.ts'
import { foldersOf } from '../../src/home/folders.ts'
import type { OpenRequest } from '../../src/protocol/request.ts'
import { Vigil } from '../e2e/vigil.ts'
import { CODE_CACHE } from '../support/code-cache.ts'

/** The real client with vigil installed, and a daemon that watches. */
export class AnswerStage {
  readonly stage: Stage
  readonly vigil: Vigil
  readonly daemon: Daemon

  constructor(stage: Stage) {
    this.stage = stage
    this.vigil = new Vigil(stage)
    this.daemon = connect(foldersOf({ VIGIL_HOME: join(stage.place.root, 'vigil') }))
  }

  static async open(talk: Script, client?: string): Promise<AnswerStage> {
    const env = ({ root }: { root: string }) => ({ VIGIL_HOME: join(root, 'vigil'), ...CODE_CACHE })
    const opened = new AnswerStage(await openStage(talk, { ...(client && { client }), env }))
    await opened.vigil.run(['install'])
    await opened.vigil.status()
    return opened
  }

  /** The same with nothing installed. */
  static async openWithoutHooks(talk: Script): Promise<AnswerStage> {
    const env = ({ root }: { root: string }) => ({ VIGIL_HOME: join(root, 'vigil'), ...CODE_CACHE })
    const opened = new AnswerStage(await openStage(talk, { env }))
    await opened.vigil.status()
    return opened
  }

  async claude(args: readonly string[] = [], options: RunOptions = {}) {
    const client = await this.stage.claude(args, options)
    const { id } = await this.vigil.says({ pid: client.pane.pid }, { state: 'idle' })
    return { client, session: id }
  }

  /** Types a prompt, sees the dialog, and sees vigil ask the same. */
  async asks(client: Client, prompt: string, dialog: RegExp): Promise<OpenRequest> {
    await client.submit(prompt)
    return this.asked(client, dialog)
  }

  async asked(client: Client, dialog: RegExp): Promise<OpenRequest> {
    await client.pane.sees(dialog)
    return this.request(({ answerable }) => answerable)
  }

  /** Daemons find every client of the machine, those of other tests too. */
  async requests(): Promise<readonly OpenRequest[]> {
    const [{ requests }, { sessions }] = await Promise.all([
      this.daemon.requests(),
      this.daemon.sessions(),
    ])
    const own = sessions.filter(({ cwd }) => cwd?.startsWith(this.stage.place.root))
    return requests.filter(({ session }) => own.some(({ id }) => id === session))
  }

  request(isSo: (request: OpenRequest) => boolean): Promise<OpenRequest> {
    let last: readonly OpenRequest[] = []
    const look = async () => {
      last = await this.requests()
      return last.find(isSo)
    }
    const shows = async () => {
      const { sessions } = await this.daemon.sessions()
      const { reports } = await this.daemon.reports({ limit: 1000 })
      return JSON.stringify({ requests: last, sessions, reports: reports.slice(-25) }, null, 1)
    }
    return until('a request', look, { shows })
  }

  /** No surface has anything to answer. */
  async withdrawn(session: string): Promise<void> {
    const look = async () => {
      const requests = await this.requests()
      const asks = (await this.daemon.session(session))?.asks
      return requests.length === 0 && asks?.length === 0
    }
    await until('nothing to be asked', look, { withinMs: 3_000 })
  }

  /** As a user who has read the only request. */
  async answer(...args: string[]) {
    const { stdout } = await this.vigil.run(['answer', '--json'])
    const listed = JSON.parse(stdout) as { readonly id: string; readonly code: string }[]
    const own = await this.requests()
    const request = listed.find(({ id }) => own.some((one) => one.id === id))
    return this.vigil.run(['answer', ...args, ...(request ? ['--request', request.code] : [])])
  }

  /** The client asks about a plan that lies in the file it has named. */
  async planWritten({ pane }: Client, text: string): Promise<void> {
    await pane.sees(/I plan\./)
    const named = () => {
      const said = JSON.stringify(this.stage.model.requests.map(({ body }) => body))
      return /([^\s"\\]+\/\.claude\/plans\/[\w-]+\.md)/.exec(said)?.[1]
    }
    const path = await until('the name of the plan', named)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }

  /** The last message to the model. */
  told(): string {
    const main = this.stage.model.requests.filter(({ side, body }) => body && !side)
    return JSON.stringify(main.at(-1)?.body?.messages.slice(-2))
  }

  async end(): Promise<void> {
    await this.vigil.run(['stop']).catch(() => {})
    await this.stage.end()
  }
}
