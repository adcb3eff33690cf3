import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { UNNAMED_AGENT } from '../../src/agents/index.ts'
import { holderOf, startByHolder } from '../../src/client/holder.ts'
import { COMMAND } from '../../src/client/start.ts'
import { writeHook } from '../../src/install/scripts.ts'
import { signInAt } from '../support/ask-page.ts'
import { builtPage } from '../support/built-page.ts'
import { DaemonHome, until } from '../support/daemon.ts'
import { listens, signedIn, statusOf } from './support.ts'

/** Real daemons, the real holder and the installed hook. */
let home: DaemonHome
beforeAll(async () => void (await builtPage()))
beforeEach(async () => {
  home = new DaemonHome()
})
afterEach(() => home.end())

const addressNow = async () => (await home.client.health()).address ?? ''

async function holderPid(): Promise<number> {
  const { run } = home.folders
  const pipeOf = () => join(run, `holder-${holderOf(home.folders)?.id}`)
  await until('a holder lives and listens', () => existsSync(pipeOf()))
  return holderOf(home.folders)?.pid ?? 0
}

describe('a signed-in browser', () => {
  it('[OC3] stays signed in over `vigil stop` and the next command', async () => {
    await home.start()
    const { address, key } = await signedIn(home)
    const { stdout } = await home.run(['stop'])
    expect(stdout).toContain('stays reserved for signed-in browsers')
    await home.run(['status'])
    expect(await addressNow()).toBe(address)
    expect(await statusOf(key, address)).toBe(200)
  })

  it('[OC3] stays signed in over `kill -9` and a start by the installed hook', async () => {
    const hook = writeHook(home.folders, UNNAMED_AGENT, { node: process.execPath, vigil: COMMAND })
    await home.start()
    const { address, key } = await signedIn(home)
    await holderPid()
    await home.kill()
    const client = spawn(hook, { env: home.env, stdio: ['pipe', 'ignore', 'inherit'] })
    client.stdin.end('{}\n')
    await until('the hook’s daemon answers', () => statusOf(key, address).catch(() => 0))
    expect(await statusOf(key, address)).toBe(200)
    const isAlone = () => home.daemons().join() === String(home.announced()?.pid)
    await until('what the hook started has left it alone', isAlone)
  })

  it('[OC3] a request made while no daemon runs is answered by the next one', async () => {
    await home.start()
    const { address, key } = await signedIn(home)
    await holderPid()
    await home.kill()
    const asked = statusOf(key, address)
    await home.again()
    expect(await asked).toBe(200)
  })

  it('[OC2][OC9] is signed out when its address was not held', async () => {
    await home.start()
    const { address, key } = await signedIn(home)
    const holder = await holderPid()
    await home.kill()
    process.kill(holder, 'SIGKILL')
    await until('no process listens there', () =>
      statusOf(key, address).then(
        () => false,
        () => true,
      ),
    )
    await home.run(['status'])
    const now = await addressNow()
    expect(new URL(now).hostname).not.toBe(new URL(address).hostname)
    expect(await statusOf(key, now)).toBe(401)
    expect((await home.client.browsers()).browsers).toEqual([])
    expect(home.log()).toContain('have to sign in again')
    const { acts } = await home.client.acts({ limit: 5 })
    expect(acts.map(({ what, where }) => [what, where])).toEqual([
      ['sign-out', 'daemon'],
      ['sign-in', 'page'],
    ])
    const { stdout } = await home.run(['open', '--print'])
    expect((await signInAt(stdout.trim())).status).toBe(200)
  })

  it('[OC2] another daemon on the same port has another address', async () => {
    await home.start()
    const { address, key } = await signedIn(home)
    const holder = await holderPid()
    await home.kill()
    process.kill(holder, 'SIGKILL')
    const { port } = new URL(address)
    const daemon = home.spawn(['daemon', '--quiet', '--port', port])
    await until('it answers', () => home.announced()?.pid === daemon.pid)
    const now = await addressNow()
    expect(new URL(now).port).toBe(port)
    expect(now).not.toBe(address)
    expect([await statusOf(key, now), await statusOf(key, address)]).toEqual([401, 403])
  })

  it('[OC3] `vigil stop --release` and `vigil uninstall` give the address up', async () => {
    await home.start()
    for (const args of [
      ['stop', '--release'],
      ['uninstall', '--config-dir', home.path],
    ]) {
      await home.run(['status'])
      const { address, key } = await signedIn(home)
      const holder = await holderPid()
      if (args[0] === 'uninstall') await home.run(['stop'])
      await home.run(args)
      await until('the holder is gone', () => !existsSync(`/proc/${holder}`))
      await home.run(['status'])
      expect(await addressNow()).not.toBe(address)
      expect(await statusOf(key, await addressNow())).toBe(401)
    }
  })

  it('[OC3] with no browser signed in any more the holder ends with the daemon', async () => {
    await home.start()
    expect(holderOf(home.folders)).toBeUndefined()
    await signedIn(home)
    const holder = await holderPid()
    await home.run(['open', '--forget', 'all'])
    const { stdout } = await home.run(['stop'])
    expect(stdout).not.toContain('reserved')
    await until('the holder is gone', () => !existsSync(`/proc/${holder}`))
    expect(readdirSync(home.folders.run).filter((name) => /holder|said/.test(name))).toEqual([])
  })

  it('[K14] a daemon that the holder starts and that cannot go on says why', async () => {
    await home.start()
    await signedIn(home)
    await holderPid()
    await home.kill()
    rmSync(home.folders.lock)
    mkdirSync(home.folders.lock)
    const { code, stderr } = await home.run(['status'])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/cannot start: .*unable to open database file/),
    ])
  })
})

describe('the page’s port', () => {
  it('[OC4] is held for both families, with and without a daemon', async () => {
    await home.start()
    const { address } = await signedIn(home)
    const port = Number(new URL(address).port)
    const hosts = ['127.0.0.1', '::1', '0.0.0.0', '::']
    const tried = async () => {
      const found = []
      for (const host of hosts) found.push(await listens(host, port))
      return found
    }
    expect(await tried()).toEqual(hosts.map(() => 'EADDRINUSE'))
    await holderPid()
    await home.kill()
    expect(await tried()).toEqual(hosts.map(() => 'EADDRINUSE'))
  })

  it('[OC4][P12] one that another process has on ::1 is an error', async () => {
    const squatter = createServer()
    await new Promise<void>((resolve) => squatter.listen({ host: '::1', port: 0 }, resolve))
    const { port } = squatter.address() as { port: number }
    const daemon = home.spawn(['daemon', '--quiet', '--port', String(port)])
    const { code, stderr } = await daemon.ended
    expect(code).toBe(1)
    expect(stderr).toContain(`vigil: port ${port} is taken; choose another`)
    squatter.close()
  })
})

describe('the holder', () => {
  it('[OC3] has the sockets and its pipe open, and nothing else', async () => {
    home.env.CLAUDE_CODE_OAUTH_TOKEN = 'precious'
    home.env.GITHUB_TOKEN = 'precious'
    await home.start()
    const { key } = await signedIn(home)
    const holder = await holderPid()
    const pipe = () => readdirSync(home.folders.run).some((name) => name.startsWith('holder-'))
    await until('it waits', pipe)
    const open = readdirSync(`/proc/${holder}/fd`)
    const kinds = open.map((fd) => readlinkSync(`/proc/${holder}/fd/${fd}`).replace(/:.*/, ''))
    const rest = kinds.filter((kind) => kind !== '/dev/null' && kind !== 'socket')
    expect(kinds.filter((kind) => kind === 'socket')).toHaveLength(2)
    const names = rest.map((path) => path.replace(/.*\//, '').replace(/-\w{32}/, ''))
    // Its own script, and the pipe that it waits at.
    expect([...new Set(names)].toSorted()).toEqual(['holder', 'vigil-holder'])
    const said = ['environ', 'cmdline'].map((name) =>
      readFileSync(`/proc/${holder}/${name}`, 'utf8'),
    )
    expect(said.join()).not.toMatch(/precious|CLAUDE|ANTHROPIC/)
    expect(said.join()).not.toContain(key.slice(1))
    expect(said.join()).not.toContain(readFileSync(home.folders.token, 'utf8').trim())
    const [, session] = /^\d+ \(.*\) \S \d+ \d+ (\d+)/.exec(statOf(holder)) ?? []
    expect(Number(session)).toBe(holder)
    const [, kilobytes] =
      /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${holder}/status`, 'utf8')) ?? []
    expect(Number(kilobytes)).toBeLessThan(4_000)
  })

  it('[OC3] passes the sockets to the daemon, and no child of that has them', async () => {
    await home.start()
    await signedIn(home)
    const holder = await holderPid()
    await home.again()
    const daemon = home.announced()?.pid ?? 0
    expect(socketsOf(daemon)).toEqual(expect.arrayContaining(socketsOf(holder)))
    for (const fd of ['3', '4']) expect(closesOnExec(daemon, fd)).toBe(true)
    await home.kill()
    const [script, found] = [join(home.path, 'script.cjs'), join(home.path, 'found')]
    writeFileSync(
      script,
      `const { spawnSync } = require('node:child_process')
      require('node:net').createServer().listen({ fd: 3 }, () => {
        const { stdout } = spawnSync('ls', ['-l', '/proc/self/fd'])
        require('node:fs').writeFileSync(${JSON.stringify(found)}, stdout)
        process.exit()
      })`,
    )
    expect(startByHolder(home.folders, [process.execPath, script])).toBe(true)
    await until('a child has looked', () => existsSync(found) && readFileSync(found).length > 0)
    for (const socket of socketsOf(holder))
      expect(readFileSync(found, 'utf8')).not.toContain(socket)
  })
})

function statOf(pid: number): string {
  return readFileSync(`/proc/${pid}/stat`, 'utf8')
}

function socketsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`)
    .map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
    .filter((name) => name.startsWith('socket:'))
}

function closesOnExec(pid: number, fd: string): boolean {
  const [, flags = '0'] =
    /flags:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8')) ?? []
  return (Number.parseInt(flags, 8) & 0o2000000) !== 0
}
