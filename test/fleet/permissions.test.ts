import { headers, type NatsConnection } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectOnce } from '../../src/fleet/nats/connection.ts'
import { inboxOf, inviteUser, joinInboxOf, namesOf } from '../../src/fleet/nats/subjects.ts'
import { until } from '../support/daemon.ts'
import { FLEET, NATS_VERSIONS, NatsFleet, noNats } from '../support/nats.ts'
import { describeUnless } from '../support/needs.ts'

const { stream, keys } = namesOf(FLEET)
const own = `vigil.${FLEET}`
const api = '$JS.API'
const INVITE = { id: 'i1', password: 'a-long-password-0' }

/** What a member with a valid key must not publish. Beta tries, mostly against gamma. */
const PUBLISHED: Readonly<Record<string, string>> = {
  'the row of another': `${keys}row.gamma.x`,
  'the heartbeat of another': `${keys}beat.gamma`,
  'who may look at another': `${keys}lookers.gamma`,
  'the roster': `${keys}roster`,
  'a key of its own invention': `${keys}beta`,
  'a row below its own': `${keys}row.beta.x.y`,
  'a key of another fleet': '$KV.vigil_ffffffffffffffff.row.beta.x',
  'stream purge': `${api}.STREAM.PURGE.${stream}`,
  'stream delete': `${api}.STREAM.DELETE.${stream}`,
  'stream update': `${api}.STREAM.UPDATE.${stream}`,
  'stream create': `${api}.STREAM.CREATE.${stream}`,
  'another stream': `${api}.STREAM.CREATE.OTHER`,
  'info of another stream': `${api}.STREAM.INFO.KV_vigil_ffffffffffffffff`,
  'list of streams': `${api}.STREAM.LIST`,
  'names of streams': `${api}.STREAM.NAMES`,
  'deletion of a message': `${api}.STREAM.MSG.DELETE.${stream}`,
  'a message by its number': `${api}.STREAM.MSG.GET.${stream}`,
  'direct get': `${api}.DIRECT.GET.${stream}`,
  'direct get of a key': `${api}.DIRECT.GET.${stream}.${keys}roster`,
  snapshot: `${api}.STREAM.SNAPSHOT.${stream}`,
  restore: `${api}.STREAM.RESTORE.${stream}`,
  'step down of the leader': `${api}.STREAM.LEADER.STEPDOWN.${stream}`,
  'account info': `${api}.INFO`,
  'list of consumers': `${api}.CONSUMER.LIST.${stream}`,
  'info of another’s consumer': `${api}.CONSUMER.INFO.${stream}.gamma_0`,
  'deletion of another’s consumer': `${api}.CONSUMER.DELETE.${stream}.gamma_0`,
  'pause of another’s consumer': `${api}.CONSUMER.PAUSE.${stream}.gamma_0`,
  'a consumer by another’s name': `${api}.CONSUMER.CREATE.${stream}.gamma_0.${keys}>`,
  'a consumer without a name': `${api}.CONSUMER.CREATE.${stream}`,
  'a durable consumer': `${api}.CONSUMER.DURABLE.CREATE.${stream}.beta_0`,
  'a consumer of another stream': `${api}.CONSUMER.CREATE.OTHER.beta_0.${keys}>`,
  'next message of a consumer': `${api}.CONSUMER.MSG.NEXT.${stream}.gamma_0`,
  'flow of another’s consumer': `$JS.FC.${stream}.gamma_0.x`,
  acknowledgement: `$JS.ACK.${stream}.gamma_0.1.1.1.1.1`,
  'a reply as another': `${own}.reply.alpha.gamma.x`,
  'the end of another’s call': `${own}.hold.alpha.gamma.x`,
  'the inbox of another': '_INBOX_gamma.x',
  'a request to join': `${own}.join.${INVITE.id}`,
  'a reply to one who joins': `${joinInboxOf(INVITE.id)}.reply`,
  'a call in another fleet': 'vigil.ffffffffffffffff.call.gamma',
  'the system': '$SYS.REQ.SERVER.PING',
  'the system’s reload': '$SYS.REQ.SERVER.X.RELOAD',
  'info of the user': '$SYS.REQ.USER.INFO',
}

const SUBSCRIBED: Readonly<Record<string, string>> = {
  everything: '>',
  'all inboxes': '_INBOX_gamma.>',
  'every first word': '*.>',
  'the bucket past its consumer': `${keys}>`,
  'calls of another': `${own}.call.gamma`,
  'all calls': `${own}.call.*`,
  'replies to another': `${own}.reply.gamma.*.*`,
  'all replies': `${own}.reply.>`,
  'holds of others': `${own}.hold.*.gamma.*`,
  'requests to join': `${own}.join.*`,
  'replies to those who join': `${joinInboxOf(INVITE.id)}.>`,
  'the system': '$SYS.>',
  'JetStream’s own': '$JS.>',
}

for (const version of NATS_VERSIONS)
  describeUnless(noNats(version))(`a member on nats-server ${version}`, () => {
    let fleet: NatsFleet
    let beta: NatsConnection
    let joining: NatsConnection

    beforeAll(async () => {
      fleet = await NatsFleet.start(version, undefined, { invites: [INVITE] })
      const alpha = await fleet.open('alpha')
      await alpha.put('roster', Buffer.from('roster'))
      const gamma = await fleet.open('gamma')
      gamma.watch({ onEntry: () => {}, onReady: () => {} })
      beta = await connectOnce(fleet.optionsOf('beta'), inboxOf('beta'))
      const login = { user: inviteUser(INVITE.id), password: INVITE.password }
      joining = await connectOnce({ urls: [fleet.url], login }, joinInboxOf(INVITE.id))
    })
    afterAll(async () => {
      await beta?.close()
      await joining?.close()
      await fleet?.end()
    })

    it.each(Object.entries(PUBLISHED))('[FL71][FL72] may not publish %s', async (_, subject) => {
      expect(await refusals(beta, () => beta.publish(subject, '{}'))).toEqual([
        `publish ${subject}`,
      ])
    })

    it.each(Object.entries(SUBSCRIBED))('[FL71] may not subscribe to %s', async (_, subject) => {
      const refused = await refusals(beta, () => void beta.subscribe(subject, { callback() {} }))
      expect(refused).toEqual([`subscription ${subject}`])
    })

    it('[FL71] may do what a member does', async () => {
      const transport = await fleet.open('beta')
      for (const key of ['row.beta.x', 'beat.beta', 'lookers.beta'])
        await transport.put(key, Buffer.from('own'))
      await transport.delete('row.beta.x')
      await expect(transport.put('roster', Buffer.from('forged'))).rejects.toMatchObject({
        fault: 'refused',
      })
    })

    it('[FL72] may not empty the bucket by a header in its own row', async () => {
      for (const value of ['all', 'sub']) {
        const marks = headers()
        marks.set('Nats-Rollup', value)
        const reply = await beta.request(`${keys}row.beta.roll`, 'x', {
          headers: marks,
          timeout: 5e3,
        })
        expect(reply.json()).toHaveProperty('error')
      }
      expect(await held(fleet)).toContain('roster')
    })

    it.each([
      `${api}.STREAM.DELETE.${stream}`,
      `${api}.STREAM.PURGE.${stream}`,
      `${keys}roster`,
      `${keys}row.gamma.x`,
    ])('[FL72] may not have its consumer deliver to %s', async (deliverTo) => {
      await beta.request(`${keys}row.beta.aimed`, '{}', { timeout: 5e3 })
      const config = {
        name: 'beta_3',
        filter_subject: `${keys}row.beta.aimed`,
        deliver_subject: deliverTo,
        deliver_policy: 'all',
        ack_policy: 'none',
        mem_storage: true,
      }
      const body = JSON.stringify({ stream_name: stream, config, action: 'create' })
      const subject = `${api}.CONSUMER.CREATE.${stream}.beta_3.${keys}row.beta.aimed`
      const before = await held(fleet)
      await beta.request(subject, body, { timeout: 5e3 })
      // Read while the consumer is there: another one began and was served after it.
      expect(await held(fleet)).toEqual(before)
      await beta.request(`${api}.CONSUMER.DELETE.${stream}.beta_3`, '', { timeout: 5e3 })
    })

    it.each([
      `${own}.join.other`,
      `${own}.call.alpha`,
      `${keys}roster`,
      `${keys}row.i1.x`,
      `${api}.STREAM.INFO.${stream}`,
      `${api}.CONSUMER.CREATE.${stream}.i1_0.${keys}>`,
      `${joinInboxOf('other')}.reply`,
      '_INBOX_gamma.x',
      '$SYS.REQ.USER.INFO',
    ])('[FL75] an invite may not publish %s', async (subject) => {
      const refused = await refusals(joining, () => joining.publish(subject, '{}'))
      expect(refused).toEqual([`publish ${subject}`])
    })

    it.each(['>', `${own}.>`, `${joinInboxOf('other')}.>`, '_INBOX_alpha.>', `${keys}>`])(
      '[FL75] an invite may not subscribe to %s',
      async (subject) => {
        const listen = () => void joining.subscribe(subject, { callback() {} })
        expect(await refusals(joining, listen)).toEqual([`subscription ${subject}`])
      },
    )

    it('[FL74] is disconnected and refused once it is removed', async () => {
      const { members, founder } = fleet.config
      const alpha = await fleet.open('alpha')
      const gamma = await fleet.open('gamma')
      await fleet.reload({ members: members.filter(({ machine }) => machine !== 'gamma') })
      await until('it is disconnected', () => !gamma.state.connected)
      await until('it says why', () => /does not accept/.test(gamma.state.why ?? ''))
      await expect(fleet.open('gamma')).rejects.toMatchObject({ fault: 'refused' })
      expect(alpha.state.connected).toBe(true)
      const old = fleet.config
      const wrong = { founder: { ...founder, machine: 'a b' } }
      await expect(fleet.server.reload({ ...old, ...wrong })).rejects.toThrow('machine')
    })
  })

/** What the server refuses of an act, as its client hears it. */
async function refusals(nats: NatsConnection, act: () => void): Promise<string[]> {
  const found: string[] = []
  const status = nats.status()
  const listening = (async () => {
    for await (const event of status)
      if (event.type === 'error') {
        const { operation, subject } = event.error as Error & { operation: string; subject: string }
        found.push(`${operation} ${subject}`)
      }
  })()
  act()
  // The server answers in order.
  await nats.flush()
  ;(status as { stop?: () => void }).stop?.()
  await Promise.race([listening, nats.flush()])
  return found
}

async function held(fleet: NatsFleet): Promise<string[]> {
  const transport = await fleet.open('alpha', { create: false })
  const keysHeld: string[] = []
  let isReady = false
  const onReady = () => {
    isReady = true
  }
  transport.watch({ onEntry: ({ key }) => keysHeld.push(key), onReady })
  await until('the bucket was read', () => isReady)
  await transport.close()
  return keysHeld.toSorted()
}
