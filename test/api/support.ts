import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect as connectSocket, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from '../../src/daemon/api/app.ts'
import { type Address, addressAt } from '../../src/daemon/api/endpoint.ts'
import { type EventOptions, Subscribers } from '../../src/daemon/api/event-stream.ts'
import { Gate } from '../../src/daemon/api/gate.ts'
import { Page } from '../../src/daemon/api/page.ts'
import { type ListenOptions, listen } from '../../src/daemon/api/server.ts'
import { newToken } from '../../src/daemon/api/token.ts'
import { Browsers } from '../../src/daemon/browsers/browsers.ts'
import { OpenResponses } from '../../src/daemon/browsers/open-responses.ts'
import { type Folders, foldersOf } from '../../src/home/folders.ts'
import type { SignedIn } from '../../src/protocol/browser.ts'
import { reportsOf } from '../../src/recording/read.ts'
import { allRecordings } from '../support/recordings.ts'
import { MemoryApi } from './memory-fleet.ts'

export type Transport = 'unix' | 'tcp' | 'page'
export const TRANSPORTS: readonly Transport[] = ['unix', 'tcp', 'page']

export type Rig = Awaited<ReturnType<typeof startRig>>

/** What is always shared: the page's own address is none of the page's socket. */
const PAGE = addressAt('https://page.rig.example')

/** The API over all transports, with a fleet that has seen recordings of the real client. */
export async function startRig(
  options: { events?: Partial<EventOptions>; limits?: ListenOptions['limits'] } = {},
) {
  const { home, token, folders, fleet, complaints, shared, originOf, shares } = rigParts()
  const { gate, browsers, responses, page } = shares
  const start = async (port = 0) => {
    const subscribers = new Subscribers(options.events)
    const parts = { ...shares, subscribers }
    const listening = await listen({
      app: (endpoint) => createApp(fleet, endpoint, parts),
      page,
      browsers,
      shared: () => [PAGE, ...shared],
      gate,
      token,
      socket: folders.socket,
      pageSocket: folders.pageSocket,
      port,
      origin: originOf,
      onClose: () => subscribers.close(),
      ...(options.limits && { limits: options.limits }),
    })
    return { listening, subscribers }
  }
  let running = await start()
  return {
    folders,
    token,
    fleet,
    gate,
    complaints,
    browsers,
    responses,
    shared,
    /** One that has signed in. */
    browser: browsers.signIn(browsers.code().code, '') as SignedIn,
    signIn: () => browsers.signIn(browsers.code().code, '') as SignedIn,
    /** Of one that signed in where a way leads to. */
    keyOf: (way: Transport) => {
      const origin = (way === 'page' ? PAGE.origin : running.listening.origin) ?? ''
      return browsers.signIn(browsers.code(origin).code, '', { origin })?.key ?? ''
    },
    get subscribers() {
      return running.subscribers
    },
    get port() {
      return running.listening.port as number
    },
    /** Where the page is. */
    get origin() {
      return running.listening.origin as string
    },
    host: (way: Transport) =>
      ({ unix: 'vigil', tcp: `rig.localhost:${running.listening.port}`, page: PAGE.host })[way],
    dial: (way: Transport) => dial(way, folders, running.listening.port as number),
    pause: (deadlineMs = 100) => running.listening.close(deadlineMs),
    resume: async () => {
      running = await start(running.listening.port)
    },
    close: async () => {
      await running.listening.close(100)
      rmSync(home, { recursive: true, maxRetries: 10 })
    },
  }
}

/** What outlives a pause. */
function rigParts() {
  const home = mkdtempSync(join(tmpdir(), 'vigil-api-'))
  const folders = foldersOf({ VIGIL_HOME: home })
  const token = newToken(folders.token)
  const fleet = seenFleet()
  const complaints: { what: string; about: Readonly<Record<string, unknown>> }[] = []
  const complain = (what: string, about: Readonly<Record<string, unknown>>) => {
    complaints.push({ what, about })
  }
  const gate = new Gate(complain)
  const page = Page.read(builtPage(join(home, 'page')))
  const responses = new OpenResponses()
  const browsers = new Browsers({ file: join(folders.state, 'browsers.json'), complain })
  browsers.onGone((id) =>
    responses.cut(({ caller }) => caller.kind === 'browser' && caller.id === id),
  )
  const shared: Address[] = []
  const originOf = ({ port }: { readonly port: number }) => {
    const origin = `http://rig.localhost:${port}`
    browsers.holdOn({ origin, sockets: 'rig' })
    return origin
  }
  const now = () => fleet.now
  const origins = () => [browsers.hold?.origin ?? '']
  const shares = { complain, gate, browsers, responses, page, now, origins }
  return { home, token, folders, fleet, complaints, shared, originOf, shares }
}

function dial(way: Transport, { socket, pageSocket }: Folders, port: number): Socket {
  if (way === 'tcp') return connectSocket(port, '127.0.0.1')
  return connectSocket(way === 'unix' ? socket : pageSocket)
}

/** With what its policy must not let happen. */
export const INDEX = '<!doctype html><title>vigil</title><script>window.ran = true</script>'

/** As a build leaves one, and what must not be served beside it. */
export function builtPage(folder: string): string {
  mkdirSync(join(folder, 'assets'), { recursive: true })
  const files = {
    'index.html': INDEX,
    'arrive.html': '<!doctype html><title>vigil: from another site</title>',
    'pane.html': '<!doctype html><title>pane</title>',
    'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'assets/app-4f2a.js': 'export const page = 1',
    'assets/app-4f2a.js.br': 'as brotli',
    'assets/app-4f2a.js.gz': 'as gzip',
    'assets/app-4f2a.js.map': '{"precious":1}',
    'notes.txt': 'precious',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  symlinkSync('/etc/passwd', join(folder, 'assets', 'link.js'))
  return folder
}

const NAMES = ['agent_perm', 'bash_approve', 'clear', 'err400', 'plan_approve']

export function seenFleet(): MemoryApi {
  const fleet = new MemoryApi()
  for (const recording of allRecordings())
    if (NAMES.includes(recording.name)) fleet.play(reportsOf(recording))
  return fleet
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** All that came, further answers included. */
  readonly raw: string
}

/** Sends bytes as they are and reads until the other side closes, or is silent for `quietMs`. */
export async function send(
  socket: Socket,
  pieces: readonly (string | Buffer)[],
  { quietMs = 300, pieceMs = 0 } = {},
): Promise<Answer> {
  let raw = ''
  let turns = 0
  let closed = false
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    raw += chunk
    turns = 0
  })
  socket.on('error', () => {})
  socket.on('close', () => {
    closed = true
  })
  for (const piece of pieces) {
    if (closed) break
    socket.write(piece)
    if (pieceMs > 0) await sleep(pieceMs)
  }
  const deadline = Date.now() + 10_000
  // By turns of the loop, in each of which the server may answer, not by a clock that runs on.
  const quiet = () => raw !== '' && turns * TURN_MS > quietMs
  for (; !closed && !quiet() && Date.now() < deadline; turns += 1) await sleep(TURN_MS)
  socket.destroy()
  return parse(raw)
}

const TURN_MS = 5

function parse(raw: string): Answer {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const [first = '', ...responses] = head.split('\r\n')
  const headers = Object.fromEntries(
    responses.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { status: Number(first.split(' ')[1] ?? 0), headers, body: rest.join('\r\n\r\n'), raw }
}

/** Waits for a condition; says which one did not come true. */
export async function until(what: string, holds: () => boolean, maxMs = 10_000): Promise<void> {
  const deadline = Date.now() + maxMs
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`waited ${maxMs} ms in vain: ${what}`)
    await sleep(5)
  }
}
