import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { headers, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectOnce } from '../../../src/fleet/nats/connection.ts'
import { inboxOf, namesOf } from '../../../src/fleet/nats/subjects.ts'
import type { NatsTransport } from '../../../src/fleet/nats/transport.ts'
import { until } from '../../support/daemon.ts'
import { membersOf } from '../../support/members.ts'
import { FLEET, NATS_VERSIONS, NatsFleet, noNats } from '../../support/nats.ts'
import { describeUnless } from '../../support/needs.ts'
import { aSession } from '../../support/sessions.ts'

const { stream, keys } = namesOf(FLEET)
const SECRET = 'rm -rf the-secret-folder'

/** Headers that change what a server does with a message, in versions that know them. */
const HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'empties the bucket': { 'Nats-Rollup': 'all' },
  'empties its subjects': { 'Nats-Rollup': 'sub' },
  'ends after a second': { 'Nats-TTL': '1s' },
  'is sent to another key at a time': {
    'Nats-Schedule': '@at 2020-01-01T00:00:00Z',
    'Nats-Schedule-Target': `${keys}row.gamma.x`,
  },
  'counts another key up': { 'Nats-Incr': '+1' },
  'claims the number of another message': { 'Nats-Msg-Id': 'row.gamma.x' },
  'expects a number in another key': {
    'Nats-Expected-Last-Subject-Sequence': '0',
    'Nats-Expected-Last-Subject-Sequence-Subject': `${keys}row.gamma.x`,
  },
  'expects another stream': { 'Nats-Expected-Stream': 'OTHER' },
  'is one of a batch': {
    'Nats-Batch-Id': 'b',
    'Nats-Batch-Sequence': '1',
    'Nats-Batch-Commit': '1',
  },
  'deletes by its name': { 'KV-Operation': 'PURGE', 'Nats-Subject': `${keys}row.gamma.x` },
}

for (const version of NATS_VERSIONS)
  describeUnless(noNats(version))(`the bucket on nats-server ${version}`, () => {
    let fleet: NatsFleet
    let alpha: NatsTransport
    let gamma: NatsTransport
    let beta: NatsConnection
    const held = new Map<string, string>()

    beforeAll(async () => {
      fleet = await NatsFleet.start(version)
      alpha = await fleet.open('alpha')
      gamma = await fleet.open('gamma')
      await alpha.put('roster', Buffer.from('roster'))
      await gamma.put('row.gamma.x', Buffer.from('first'))
      beta = await connectOnce(fleet.optionsOf('beta'), inboxOf('beta'))
      alpha.watch({
        onEntry: ({ key, value }) => {
          if (value) held.set(key, Buffer.from(value).toString())
          else held.delete(key)
        },
        onReady: () => {},
      })
      await until('the bucket is read', () => held.size === 2)
    })
    afterAll(async () => {
      await beta?.close()
      await fleet?.end()
    })

    it.each(Object.entries(HEADERS))('[FL168] a member’s own row %s', async (_, given) => {
      const marks = headers()
      for (const [name, value] of Object.entries(given)) marks.set(name, value)
      const subject = `${keys}row.beta.y`
      await beta.request(subject, 'x', { headers: marks, timeout: 3e3 }).catch(() => undefined)
      // The next value of another machine is stored, and seen, as ever.
      const next = `after ${JSON.stringify(given)}`
      await gamma.put('row.gamma.x', Buffer.from(next))
      await until('it is seen', () => held.get('row.gamma.x') === next)
      expect(held.get('roster')).toBe('roster')
    })

    it('[FL168] a member’s consumer speaks as others do', async () => {
      const got: string[] = []
      gamma.serve('gamma', async function* (request) {
        got.push(Buffer.from(request).toString())
        yield Buffer.from('x')
      })
      const subjects = [`vigil.${FLEET}.call.gamma`, `${inboxOf('gamma')}.watch.x`]
      for (const deliver of [...subjects, `vigil.${FLEET}.reply.alpha.gamma.x`]) {
        const config = {
          ...{ name: 'beta_2', filter_subject: `${keys}roster`, deliver_subject: deliver },
          ...{ deliver_policy: 'all', ack_policy: 'none', mem_storage: true },
        }
        const body = JSON.stringify({ stream_name: stream, config, action: 'create' })
        const create = `$JS.API.CONSUMER.CREATE.${stream}.beta_2.${keys}roster`
        await beta.request(create, body, { timeout: 3e3 }).catch(() => undefined)
        await gamma.put('row.gamma.x', Buffer.from(deliver))
        await until('it is seen', () => held.get('row.gamma.x') === deliver)
        await beta.request(`$JS.API.CONSUMER.DELETE.${stream}.beta_2`, '', { timeout: 3e3 })
      }
      // What is no call of a member's transport is not passed on.
      expect(got).toEqual([])
    })

    it('[FL168] the server’s files have no word of a session', async () => {
      const [one, two] = membersOf(2).map(({ membership }) => membership)
      if (!one || !two) throw new Error('no fleet')
      const row = aSession({ id: 's', prompt: SECRET, title: SECRET, cwd: `/${SECRET}` })
      const key = `row.${one.machine}.x`
      await alpha.put('row.alpha.x', one.seal('row', key, { session: row, isCut: false }))
      await alpha.put('beat.alpha', one.seal('beat', `beat.${one.machine}`, { name: SECRET }))
      await until('both are stored', () => held.has('beat.alpha') && held.has('row.alpha.x'))
      const files = filesIn(fleet.config.storeFolder).map((path) => readFileSync(path))
      const all = Buffer.concat(files)
      expect(all.includes(one.machine)).toBe(true)
      for (const word of [SECRET, 'secret', Buffer.from(SECRET).toString('base64')])
        expect(all.includes(word)).toBe(false)
    })

    it('[FL168] the files of the server are this user’s alone', () => {
      const folder = join(fleet.config.storeFolder, '../server')
      for (const path of filesIn(folder)) expect(statSync(path).mode & 0o077, path).toBe(0)
      expect(statSync(folder).mode & 0o077).toBe(0)
    })
  })

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
