import { expect, it } from 'vitest'
import { type ServerConfig, serverConfigText } from './server-config.ts'
import { founderPermissions, invitePermissions, memberPermissions } from './server-permissions.ts'

const KEY = `U${'A'.repeat(55)}`
const config: ServerConfig = {
  host: '127.0.0.1',
  port: 4222,
  name: 'a "quoted" name',
  storeFolder: '/somewhere/store',
  fleet: 'f1',
  founder: { machine: 'm1', nkey: KEY },
  members: [{ machine: 'm2', nkey: KEY.replaceAll('A', 'B') }],
  invites: [{ id: 'i1', password: 'a-long-password-0' }],
}

it('[FL71] a member writes its own keys, and names itself wherever it speaks', () => {
  const { publish, subscribe } = memberPermissions('f1', 'm2')
  expect(publish.filter((subject) => subject.startsWith('$KV'))).toEqual([
    '$KV.vigil_f1.row.m2.*',
    '$KV.vigil_f1.beat.m2',
    '$KV.vigil_f1.lookers.m2',
  ])
  expect(publish.filter((subject) => subject.startsWith('vigil.'))).toEqual([
    'vigil.f1.call.*',
    'vigil.f1.hold.m2.*.*',
    'vigil.f1.reply.*.m2.*',
  ])
  expect(subscribe).toEqual([
    '_INBOX_m2.>',
    'vigil.f1.call.m2',
    'vigil.f1.hold.*.m2.*',
    'vigil.f1.reply.m2.*.*',
  ])
})

it('[FL72] of JetStream a member may use the bucket’s info and consumers by its own name', () => {
  const { publish } = memberPermissions('f1', 'm2')
  const api = publish.filter((subject) => subject.startsWith('$JS'))
  const [info, ...watches] = api
  expect(info).toBe('$JS.API.STREAM.INFO.KV_vigil_f1')
  expect(watches.length).toBeGreaterThan(2)
  expect(watches.filter((subject) => !/\.KV_vigil_f1\.m2_\d(\.|$)/.test(subject))).toEqual([])
})

it('[FL73] the founder writes every key, creates the bucket and admits those it invited', () => {
  const own = memberPermissions('f1', 'm1')
  const { publish, subscribe } = founderPermissions('f1', 'm1', ['i1'])
  expect(publish.filter((subject) => !own.publish.includes(subject))).toEqual([
    '$KV.vigil_f1.>',
    '$JS.API.STREAM.CREATE.KV_vigil_f1',
    '_INBOX_join.i1.reply',
  ])
  expect(subscribe.filter((subject) => !own.subscribe.includes(subject))).toEqual([
    'vigil.f1.join.*',
  ])
})

it('[FL75] an invite may ask once, and hear the reply', () => {
  expect(invitePermissions('f1', 'i1')).toEqual({
    publish: ['vigil.f1.join.i1'],
    subscribe: ['_INBOX_join.i1.>'],
  })
})

it('[FL71] the configuration has every user, and opens nothing else', () => {
  const text = serverConfigText(config)
  expect(text.match(/nkey: U/g)).toHaveLength(2)
  expect(text.match(/user: "join-i1"/g)).toHaveLength(1)
  expect(text).toContain('server_name: "a \\"quoted\\" name"')
  expect(text).not.toMatch(/allow_responses|\$JS\.>|\$JS\.API\.>|no_auth_user|tls/)
  const tls = { cert: '/a/cert.pem', key: '/a/key.pem' }
  expect(serverConfigText({ ...config, tls })).toContain('cert_file: "/a/cert.pem"')
})

it.each([
  { fleet: 'a.b' },
  { founder: { machine: 'm>', nkey: KEY } },
  { founder: { machine: 'm1', nkey: 'SUA' } },
  { invites: [{ id: '*', password: 'a-long-password-0' }] },
  { invites: [{ id: 'i1', password: 'short' }] },
  { invites: [{ id: 'i1', password: '$2a$11$aaaaaaaaaaaaaaaa' }] },
  { name: 'two\nlines' },
])('[FL71] no value can add to the configuration: %j', (change) => {
  expect(() => serverConfigText({ ...config, ...change })).toThrow()
})
