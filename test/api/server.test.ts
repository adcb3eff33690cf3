import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../../src/daemon/api/app.ts'
import { Subscribers } from '../../src/daemon/api/event-stream.ts'
import { Gate } from '../../src/daemon/api/gate.ts'
import { type Listening, listen } from '../../src/daemon/api/server.ts'
import { MemoryApi } from './memory-fleet.ts'
import { bytesOf, change } from './request.ts'
import { type Rig, send, startRig, TRANSPORTS, until } from './support.ts'

let home = ''
let socket = ''
const opened: { close(): unknown }[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'vigil-server-'))
  socket = join(home, 'run', 'vigil.sock')
})
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
  rmSync(home, { recursive: true, maxRetries: 10 })
})

describe('the socket', () => {
  it('[P12] is for its user alone, in a folder that is', async () => {
    await start()
    expect(statSync(socket).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700)
  })

  it('[P12] that a killed daemon left is replaced', async () => {
    await start()
    await leaveSocket(join(home, 'run', 'left.sock'))
    expect(existsSync(join(home, 'run', 'left.sock'))).toBe(true)
    await start({ socket: join(home, 'run', 'left.sock') })
  })

  it('[P12] that a process answers at is left alone', async () => {
    await start()
    await expect(start()).rejects.toThrow(/another daemon uses this socket/)
    expect(existsSync(socket)).toBe(true)
  })

  it('[P12] does not replace a file or a link', async () => {
    await start({ socket: join(home, 'run', 'first.sock') })
    writeFileSync(socket, 'precious')
    await expect(start()).rejects.toThrow(/expected a socket or no file/)
    rmSync(socket)
    symlinkSync(join(home, 'run', 'first.sock'), socket)
    await expect(start()).rejects.toThrow(/expected a socket or no file/)
    expect(existsSync(join(home, 'run', 'first.sock'))).toBe(true)
  })

  it('[P12] is gone after closing', async () => {
    const listening = await start()
    await listening.close()
    expect(existsSync(socket)).toBe(false)
  })
})

describe('the port', () => {
  it('[P12] is the one wanted; one that is taken is an error', async () => {
    const first = await start({ port: 0 })
    const wanted = first.port as number
    const second = start({ port: wanted, socket: join(home, 'run', 'second.sock') })
    await expect(second).rejects.toThrow(`port ${wanted} is taken; choose another`)
    await first.close()
    const third = await start({ port: wanted, socket: join(home, 'run', 'third.sock') })
    expect(third.port).toBe(wanted)
  })

  it('[P12] listens on the loopback address only', async () => {
    const { port } = await start({ port: 0 })
    // Another address of the same interface is free, so it was not a wildcard that was taken.
    const beside = createServer()
    await new Promise<void>((resolve, reject) => {
      beside.once('error', reject)
      beside.listen({ host: '127.0.0.2', port, exclusive: true }, resolve)
    })
    opened.push(closable(beside))
    expect((await start({ socket: join(home, 'run', 'none.sock') })).port).toBe(undefined)
  })
})

describe('closing', () => {
  let rig: Rig
  beforeEach(async () => {
    rig = await startRig()
  })
  afterEach(() => rig.close())

  it.each(TRANSPORTS)('[P14] cuts off a caller in the middle of a request over %s', async (way) => {
    const dangling = rig.dial(way)
    let closed = false
    dangling
      .on('error', () => {})
      .on('close', () => {
        closed = true
      })
    dangling.write(bytesOf(rig, way, change()).slice(0, -5))
    await until('it is connected', () => dangling.bytesWritten > 0 && !dangling.connecting)
    const before = Date.now()
    await rig.pause()
    expect(Date.now() - before).toBeLessThan(5_000)
    await until('it is cut off', () => closed)
    await rig.resume()
  })

  it('[P14] stopping is answered, and then the socket is gone', async () => {
    const headers = { connection: 'keep-alive' }
    const stop = { method: 'POST', target: '/v1/stop', body: '{"why":"test"}', headers }
    rig.fleet.stop = (why) => {
      rig.fleet.stops.push(why)
      void rig.pause(0)
    }
    const { status, body } = await send(rig.dial('unix'), [bytesOf(rig, 'unix', stop)])
    expect([status, body]).toEqual([200, '{"stopping":true}'])
    await until('it is reported', () => rig.fleet.stops.length === 1)
    await until('the session is closed', () => !existsSync(rig.folders.socket))
    await rig.resume()
  })
})

it('one connection serves many requests', async () => {
  const rig = await startRig()
  const bytes = bytesOf(rig, 'tcp', { headers: { connection: 'keep-alive' } })
  const { raw } = await send(rig.dial('tcp'), [bytes, bytes, bytes], { pieceMs: 20 })
  expect(raw.match(/HTTP\/1\.1 200/g)).toHaveLength(3)
  await rig.close()
})

async function start(options: { socket?: string; port?: number } = {}): Promise<Listening> {
  const fleet = new MemoryApi()
  const gate = new Gate()
  const subscribers = new Subscribers()
  const listening = await listen({
    app: (endpoint) => createApp(fleet, endpoint, { gate, subscribers }),
    gate,
    token: '0'.repeat(64),
    socket,
    ...options,
  })
  opened.push(listening)
  return listening
}

/** A process that listens and is killed: its socket stays. */
async function leaveSocket(path: string): Promise<void> {
  const code = 'require("net").createServer().listen(process.argv[1],()=>console.log("listening"))'
  const child = spawn(process.execPath, ['-e', code, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
}

function closable(server: Server) {
  return { close: () => new Promise((resolve) => server.close(resolve)) }
}
