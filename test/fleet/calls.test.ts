import { headers } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectOnce } from '../../src/fleet/nats/connection.ts'
import { askToJoin } from '../../src/fleet/nats/join.ts'
import type { NatsTransport } from '../../src/fleet/nats/transport.ts'
import type { FleetTransport } from '../../src/fleet/transport.ts'
import { until } from '../support/daemon.ts'
import { FLEET, NATS_VERSIONS, NatsFleet, noNats } from '../support/nats.ts'
import { describeUnless } from '../support/needs.ts'

const bytes = (word: string) => Buffer.from(word)
const SILENCE = { silenceMaxMs: 10_000 }

async function all(parts: AsyncIterable<Uint8Array>): Promise<Buffer[]> {
  const found: Buffer[] = []
  for await (const part of parts) found.push(Buffer.from(part))
  return found
}

const ask = (from: FleetTransport, word: string, options = {}) =>
  all(from.call('beta', bytes(word), { ...SILENCE, ...options }))

for (const version of NATS_VERSIONS)
  describeUnless(noNats(version))(`calls on nats-server ${version}`, () => {
    let fleet: NatsFleet
    let alpha: NatsTransport
    let beta: NatsTransport
    const stopped: string[] = []
    const faults: unknown[] = []

    beforeAll(async () => {
      fleet = await NatsFleet.start(version)
      alpha = await fleet.open('alpha')
      beta = await fleet.open('beta', { onFault: (error) => faults.push(error) })
      beta.serve('beta', serve)
      await until('it serves', () =>
        ask(alpha, 'x').then(
          () => true,
          () => false,
        ),
      )
    })
    afterAll(() => fleet?.end())

    async function* serve(request: Uint8Array, signal: AbortSignal): AsyncGenerator<Uint8Array> {
      const word = Buffer.from(request).toString()
      signal.addEventListener('abort', () => stopped.push(word))
      if (word === 'large') yield Buffer.alloc(3_000_000, 'x')
      else if (word === 'fails') throw new Error('a secret')
      else if (word.startsWith('stream')) {
        yield bytes('first')
        await new Promise(() => {})
      } else if (word === 'silent') await new Promise(() => {})
      else for (const part of word.split(' ')) yield bytes(part)
    }

    it('[FL68] parts arrive as they were given, in order', async () => {
      const parts = await ask(alpha, 'one two three')
      expect(parts.map(String)).toEqual(['one', 'two', 'three'])
      const many = await Promise.all(Array.from({ length: 50 }, (_, n) => ask(alpha, `call ${n}`)))
      expect(many.map((found) => String(found[1]))).toEqual(many.map((_, n) => String(n)))
      const empty = await ask(alpha, '')
      expect(empty.map(String)).toEqual([''])
    })

    it('[FL68] a part of 3 MB is one part', async () => {
      const [part, ...more] = await ask(alpha, 'large')
      expect(more).toEqual([])
      expect(part?.equals(Buffer.alloc(3_000_000, 'x'))).toBe(true)
    })

    it('[FL69] a machine that is not connected is offline at once', async () => {
      const before = performance.now()
      const asked = all(alpha.call('gamma', bytes('x'), SILENCE))
      await expect(asked).rejects.toMatchObject({ fault: 'offline' })
      expect(performance.now() - before).toBeLessThan(1_000)
    })

    it('[FL69] silence is late, and ends the work', async () => {
      const asked = ask(alpha, 'silent', { silenceMaxMs: 200 })
      await expect(asked).rejects.toMatchObject({ fault: 'late' })
      await until('the work ends', () => stopped.includes('silent'))
    })

    it('[FL69] a machine that fails says so, without its words', async () => {
      const error = await ask(alpha, 'fails').catch((fault) => fault)
      expect(error).toMatchObject({ fault: 'refused' })
      expect(error.message).not.toContain('secret')
      expect(String(faults)).toContain('a secret')
    })

    it('[FL70] a caller that breaks off ends the stream', async () => {
      for await (const part of alpha.call('beta', bytes('stream broken'), SILENCE)) {
        expect(String(Buffer.from(part))).toBe('first')
        break
      }
      await until('the stream ends', () => stopped.includes('stream broken'))
    })

    it('[FL70] a signal ends the stream on both sides', async () => {
      const abort = new AbortController()
      const got: unknown[] = []
      const reading = (async () => {
        const options = { ...SILENCE, signal: abort.signal }
        for await (const part of alpha.call('beta', bytes('stream aborted'), options))
          got.push(part)
      })()
      await until('it began', () => got.length === 1)
      abort.abort()
      await expect(reading).rejects.toThrow('aborted')
      await until('the stream ends', () => stopped.includes('stream aborted'))
    })

    it('[FL70] a stream goes on while its caller listens, and 15 s longer', async () => {
      const { login, urls } = fleet.optionsOf('gamma')
      const nats = await connectOnce({ urls, login }, '_INBOX_gamma')
      const marks = headers()
      marks.set('Vigil-Call', 'gamma.1')
      const kept = ask(alpha, 'stream kept', { silenceMaxMs: 17_000 }).catch((error) => error)
      const before = performance.now()
      nats.publish(`vigil.${FLEET}.call.beta`, 'stream vanished', { headers: marks })
      await nats.flush()
      await nats.close()
      await until('the stream ends', () => stopped.includes('stream vanished'), 20_000)
      expect(performance.now() - before).toBeGreaterThan(14_000)
      expect(await kept).toMatchObject({ fault: 'late' })
      expect(stopped).not.toContain('stream kept')
    })

    it('[FL71] a reply goes to the caller that is named, never where a request says', async () => {
      const { login, urls } = fleet.optionsOf('gamma')
      const nats = await connectOnce({ urls, login }, '_INBOX_gamma')
      const marks = headers()
      marks.set('Vigil-Call', 'gamma.2')
      const key = `$KV.vigil_${FLEET}.row.beta.forged`
      nats.publish(`vigil.${FLEET}.call.beta`, 'forged', { headers: marks, reply: key })
      await nats.flush()
      await ask(alpha, 'after it')
      const keys: string[] = []
      let isReady = false
      const onReady = () => {
        isReady = true
      }
      const stop = alpha.watch({ onEntry: (entry) => keys.push(entry.key), onReady })
      await until('the bucket was read', () => isReady)
      stop()
      expect(keys).toEqual([])
      await nats.close()
    })

    it('[FL75] an invite asks the founder, and nothing else', async () => {
      const invite = { id: 'i1', password: 'a-long-password-0' }
      const join = {
        address: { urls: [fleet.url] },
        fleet: FLEET,
        invite: 'i1',
        password: invite.password,
        request: bytes('let me in'),
        maxMs: 5_000,
      }
      await expect(askToJoin(join)).rejects.toMatchObject({ fault: 'refused' })
      await fleet.invite(invite)
      await expect(askToJoin(join)).rejects.toMatchObject({ fault: 'offline' })
      alpha.serveJoins(async (id, request) => bytes(`${id}: ${Buffer.from(request)}`))
      await until('the founder serves', async () => {
        const reply = await askToJoin(join).catch(() => undefined)
        return reply !== undefined && String(Buffer.from(reply)) === 'i1: let me in'
      })
    })
  })
