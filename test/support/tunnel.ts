import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import type { Writable } from 'node:stream'
import { COMMAND } from '../../src/client/start.ts'
import { type DaemonHome, Running, until } from './daemon.ts'

/** `vigil share ssh` as ssh runs it on the machine of the agents, once its ports are bound. */
export class TunnelCommand {
  readonly running: Running
  readonly socket: string
  readonly #stdin: Writable

  constructor(home: DaemonHome, name: string, port: number) {
    this.socket = join(dirname(home.folders.socket), name)
    const args = [COMMAND, 'share', 'ssh', name, String(port)]
    const child = spawn(process.execPath, args, { env: home.env, stdio: 'pipe' })
    this.running = new Running(child)
    this.#stdin = child.stdin
  }

  /** Where it leads, with a code. */
  async address(): Promise<string> {
    const found = () => /http:\S+#code=[0-9a-f]{32}/.exec(this.running.stdout)?.[0]
    await until('it prints an address', () => found() !== undefined || this.running.isOver)
    return found() ?? ''
  }

  async origin(): Promise<string> {
    return new URL(await this.address()).origin
  }

  types(keys: string): void {
    this.#stdin.write(keys)
  }

  /** ssh has ended, and the machine heard of it. */
  async end(): Promise<void> {
    this.#stdin.end()
    await this.running.ended
    await until('nothing listens', () => !existsSync(this.socket))
  }
}

/** What ssh does on the other computer: bytes from its port go to the socket here. */
export class Forward {
  readonly #servers: Server[] = []
  readonly #open = new Set<Socket>()

  static async listen(port: number, socket: string): Promise<Forward> {
    const forward = new Forward()
    for (const host of ['127.0.0.1', '::1']) {
      const server = createServer((from) => forward.#pass(from, connect(socket)))
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen({ host, port, ipv6Only: true }, resolve)
      })
      forward.#servers.push(server)
    }
    return forward
  }

  /** As when ssh is killed: no process holds the port any more. */
  async end(): Promise<void> {
    const closed = this.#servers.map((one) => new Promise((resolve) => one.close(resolve)))
    for (const socket of this.#open) socket.destroy()
    await Promise.all(closed)
  }

  #pass(...[from, to]: [Socket, Socket]): void {
    for (const one of [from, to]) {
      this.#open.add(one)
      one.on('error', () => {})
      one.once('close', () => {
        this.#open.delete(one)
        for (const other of [from, to]) other.destroy()
      })
    }
    from.pipe(to).pipe(from)
  }
}

/** One that was free a moment ago, for both families. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen({ host: '::', port: 0 }, resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
