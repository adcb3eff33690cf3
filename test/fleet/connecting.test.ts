import { spawn } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nkeys } from '@nats-io/transport-node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { selfSignedCertificate } from '../../src/fleet/nats/certificate.ts'
import { openNatsTransport } from '../../src/fleet/nats/open.ts'
import { serverConfigText } from '../../src/fleet/nats/server-config.ts'
import { findNatsServer, NatsServer, natsVersion } from '../../src/fleet/nats/server-process.ts'
import { natsServerOf } from '../../tools/fleet/servers.ts'
import { until } from '../support/daemon.ts'
import { freePort, NATS_VERSIONS, NatsFleet, noNats } from '../support/nats.ts'
import { describeUnless } from '../support/needs.ts'
import { programFolder } from '../support/program-folder.ts'

for (const version of NATS_VERSIONS)
  describeUnless(noNats(version))(`connecting to nats-server ${version}`, () => {
    let fleet: NatsFleet | undefined
    let folder = ''
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'vigil-connecting-'))
    })
    afterEach(async () => {
      await fleet?.end()
      rmSync(folder, { recursive: true, force: true })
    })

    it('[FL61] another key, and a bucket that is missing, are reported', async () => {
      fleet = await NatsFleet.start(version)
      const seed = nkeys.createUser().getSeed()
      const other = fleet.open('beta', { login: { seed } })
      await expect(other).rejects.toMatchObject({
        fault: 'refused',
        message: expect.stringContaining('does not accept this machine’s key'),
      })
      await expect(fleet.open('beta')).rejects.toThrow('bucket is missing')
      await expect(fleet.open('beta', { create: true })).rejects.toMatchObject({
        fault: 'refused',
        message: expect.stringContaining('does not allow'),
      })
    })

    it('[FL61][FL77] TLS is used with the certificate that is expected, and no other', async () => {
      const made = await selfSignedCertificate(['127.0.0.1'])
      const wrong = await selfSignedCertificate(['127.0.0.1'])
      if ('missing' in made || 'missing' in wrong) throw new Error('no openssl')
      fleet = await NatsFleet.start(version)
      const plain = fleet.open('alpha', { tls: { ca: made.cert } })
      await expect(plain).rejects.toThrow('TLS does not fit')
      await fleet.end()
      const tls = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
      writeFileSync(tls.cert, made.cert)
      writeFileSync(tls.key, made.key)
      fleet = await NatsFleet.start(version, undefined, { tls })
      const alpha = await fleet.open('alpha', { tls: { ca: made.cert } })
      expect(alpha.state.connected).toBe(true)
      for (const ca of [wrong.cert, undefined]) {
        const asked = fleet.open('beta', { tls: ca === undefined ? undefined : { ca } })
        await expect(asked).rejects.toThrow('TLS does not fit')
      }
    })

    it('[FL185] an address that begins with tls:// is used with TLS alone', async () => {
      fleet = await NatsFleet.start(version)
      const urls = [fleet.url.replace('nats:', 'tls:')]
      await expect(fleet.open('alpha', { urls })).rejects.toThrow('TLS does not fit')
      const both = [...urls, fleet.url]
      await expect(fleet.open('alpha', { urls: both })).rejects.toThrow('TLS does not fit')
    })

    it('[FL61] a server without JetStream is reported', async () => {
      fleet = await NatsFleet.start(version)
      await fleet.server.stop()
      const { config } = fleet
      const file = join(folder, 'plain.conf')
      const text = serverConfigText(config).replaceAll(/^ *jetstream \{[^}]*\}$/gm, '')
      writeFileSync(file, text)
      const server = spawn(natsServerOf(version) ?? '', ['-c', file], { stdio: 'ignore' })
      const found: string[] = []
      await until('it says so', async () => {
        found.push((await fleet?.open('alpha').then(String, (error) => error.message)) ?? '')
        return found.at(-1)?.includes('without JetStream')
      })
      server.kill()
    })

    it('[FL76] its configuration is private, and a broken one is not used', async () => {
      fleet = await NatsFleet.start(version)
      const { config } = fleet
      const at = join(config.storeFolder, '../server/nats-server.conf')
      expect(statSync(at).mode & 0o777).toBe(0o600)
      const before = readFileSync(at, 'utf8')
      const broken = { ...config, tls: { cert: '/nonexistent', key: '/nonexistent' } }
      await expect(fleet.server.reload(broken)).rejects.toThrow('refuses its configuration')
      expect(readFileSync(at, 'utf8')).toBe(before)
      await fleet.open('alpha')
    })

    it('[FL76] a server that cannot start says why, and one that was left is ended', async () => {
      fleet = await NatsFleet.start(version)
      const { config, server } = fleet
      const program = natsServerOf(version) ?? ''
      expect(await natsVersion(program)).toBe(version)
      const other = new NatsServer(program, join(folder, 'other'), config)
      await expect(other.start()).rejects.toThrow('address already in use')
      // As after a daemon that was killed: the same folder, a server that still runs.
      await fleet.restart()
      expect(server.isRunning).toBe(false)
      await fleet.open('alpha')
    })
  })

describe('connecting', () => {
  let server: Server | undefined
  afterEach(() => void server?.close())

  /** Says what a server of this version says first. */
  async function listen(info: object): Promise<string> {
    server = createServer((socket) => {
      socket.on('error', () => {})
      socket.write(`INFO ${JSON.stringify(info)}\r\n`)
      socket.on('data', (data) => {
        if (String(data).includes('PING')) socket.write('PONG\r\n')
      })
    })
    const port = await freePort()
    await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve))
    return `nats://127.0.0.1:${port}`
  }

  const open = async (url: string, more = {}) => {
    const login = { user: 'u', password: 'p' }
    const options = { urls: [url], login, fleet: 'f1', machine: 'm1', create: false, ...more }
    return openNatsTransport(options)
  }

  it('[FL61] a server that is not there is reported, with its address', async () => {
    const url = `nats://127.0.0.1:${await freePort()}`
    await expect(open(url)).rejects.toMatchObject({
      fault: 'disconnected',
      message: expect.stringMatching(/127\.0\.0\.1:\d+ cannot be reached/),
    })
  })

  it('[FL60] a server that is not safe is refused unless that is allowed', async () => {
    const info = { server_id: 'x', version: '2.10.26', max_payload: 1e6, headers: true }
    const url = await listen(info)
    await expect(open(url)).rejects.toMatchObject({
      fault: 'refused',
      message: expect.stringContaining('2.10.26 is not safe'),
    })
    await expect(open(url, { allowOldServer: true })).rejects.toThrow('without JetStream')
  })

  it('[FL76] where nats-server is not installed, that is said', async () => {
    const found = await findNatsServer(false, { PATH: '/nonexistent' }, [])
    expect(found).toEqual({ missing: expect.stringContaining('not installed') })
  })

  it('[FL76] a server is found where its package puts it, outside PATH', async () => {
    const folder = programFolder()
    copyFileSync(natsServerOf('2.15.1') ?? '', join(folder, 'nats-server'))
    const found = await findNatsServer(false, { PATH: '/nonexistent' }, [folder])
    expect(found).toEqual({ path: join(folder, 'nats-server'), version: '2.15.1' })
    rmSync(folder, { recursive: true })
  })
})
