import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { holderOf } from '../../src/client/holder.ts'
import { COMMAND } from '../../src/client/start.ts'
import { builtPage } from '../support/built-page.ts'
import { DaemonHome, until } from '../support/daemon.ts'
import { listens, signedIn, statusOf } from './support.ts'

const home = new DaemonHome()
beforeAll(async () => void (await builtPage()))
afterAll(() => home.end())

describe('sockets of a socket unit', () => {
  it('[OC3] keep browsers signed in over restarts, and no holder is started for them', async () => {
    const first = (await listens('127.0.0.1', 0)) as Server
    const { port } = first.address() as { port: number }
    const unit = [first, (await listens('::1', port)) as Server]
    const fds = unit.map((server) => (server as unknown as { _handle: { fd: number } })._handle.fd)
    const daemon = `'${process.execPath}' '${COMMAND}' daemon --quiet`
    const starts = `export LISTEN_FDS=2 LISTEN_FDNAMES=page:page
      while read -r _; do sh -c 'export LISTEN_PID=$$; exec "$@"' sh ${daemon} & done`
    const stdio = ['pipe' as const, 'ignore' as const, 'inherit' as const, ...fds]
    const manager = spawn('/bin/sh', ['-c', starts], { env: home.env, stdio })
    for (const server of unit) server.close()
    const start = async () => {
      manager.stdin?.write('\n')
      await until('the daemon answers', () => home.client.health().catch(() => false))
    }
    await start()
    const { address, key } = await signedIn(home)
    expect(new URL(address).port).toBe(String(port))
    await home.kill()
    await start()
    expect((await home.client.health()).address).toBe(address)
    expect(await statusOf(key, address)).toBe(200)
    await home.client.browserCode()
    expect(holderOf(home.folders)).toBeUndefined()
    expect(holders()).toEqual([])
  })
})

/** Whatever the file says of it. */
function holders(): string[] {
  return readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => commandOf(pid).includes(`vigil-holder\0${home.folders.run}\0`))
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
