import { afterEach, describe, expect, it } from 'vitest'
import type { Channel, ChannelError } from '../../src/surfaces/notify/channel.ts'
import { ChannelQueue } from '../../src/surfaces/notify/channel-queue.ts'
import { discordChannel } from '../../src/surfaces/notify/channels/discord.ts'
import { ntfyChannel } from '../../src/surfaces/notify/channels/ntfy.ts'
import { slackChannel } from '../../src/surfaces/notify/channels/slack.ts'
import { signatureOf, webhookChannel } from '../../src/surfaces/notify/channels/webhook.ts'
import { messageOf } from '../../src/surfaces/notify/message.ts'
import { routeOf } from '../../src/surfaces/web/model/route.ts'
import { cpuMs } from '../support/cpu.ts'
import { until } from '../support/daemon.ts'
import { floods, hangs, hangsUp, loopback, says, stalls } from './loopback.ts'
import { sessionWith } from './support.ts'

const SECRET = 'a secret of the test'
const NOW = Date.UTC(2026, 0, 5, 12)
const message = messageOf('id-1', NOW, [sessionWith({ branch: 'main' })], { hideSecrets: true })
const never = new AbortController().signal
const servers: { close(): void }[] = []
const serve = async (...answers: Parameters<typeof loopback>) => {
  const server = await loopback(...answers)
  servers.push(server)
  return server
}
const errorOf = (act: Promise<unknown>) =>
  act.then(
    () => undefined,
    (error: ChannelError) => error,
  )

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

describe('ntfy', () => {
  it('[NO26] gets JSON at the server’s root, and a request to retract it', async () => {
    const server = await serve()
    const channel = ntfyChannel({ url: server.url('/deep/agents'), token: 'tk_1' })
    await channel.send(message, never)
    await channel.withdraw?.(message, undefined, never)
    const [sent, back] = server.asked
    expect(sent).toMatchObject({
      method: 'POST',
      path: '/deep/',
      headers: { authorization: 'Bearer tk_1' },
    })
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      topic: 'agents',
      title: '◆ payments: waiting for permission',
      message: 'npm test (main)',
      priority: 4,
      sequence_id: 'id-1',
    })
    expect(back).toMatchObject({ method: 'DELETE', path: '/deep/agents/id-1' })
  })
})

describe('a link to the page', () => {
  const page = 'https://vigil.example.ts.net'
  const sly = sessionWith({ id: 'a/../b?c#d|e>f', branch: 'main' })
  const linked = messageOf('id-1', NOW, [sly], { hideSecrets: true }, { page })
  const link = `${page}/#/s/a%2F..%2Fb%3Fc%23d%7Ce%3Ef`

  it('[AN28] is to the session, as the page knows it, or to all', () => {
    expect(linked.link).toBe(link)
    expect(routeOf(new URL(link).hash)).toMatchObject({ at: 'session', id: 'a/../b?c#d|e>f' })
    const two = messageOf('id-1', NOW, [sly, sessionWith()], { hideSecrets: true }, { page })
    expect(two.link).toBe(`${page}/#/`)
    expect(message.link).toBe(null)
  })

  it('[AN28] goes by every channel that leaves the machine', async () => {
    const server = await serve(says(200, '{"id":"7"}'))
    const url = server.url('/x')
    const channels = [
      ntfyChannel({ url }),
      slackChannel({ url }),
      discordChannel({ url }),
      webhookChannel({ url, secret: SECRET, now: () => NOW }),
    ]
    for (const channel of channels) {
      await channel.send(linked, never)
      await channel.send(message, never)
    }
    const told = server.asked.map(({ body }) => JSON.parse(body))
    const view = { action: 'view', label: 'Open', url: link, clear: false }
    expect(told[0]).toMatchObject({ click: link, actions: [view] })
    expect(told[2].text).toContain(`\n<${link}|Open>`)
    expect(told[4].content).toContain(`\n<${link}>`)
    expect(told[6].link).toBe(link)
    for (const at of [1, 3, 5, 7]) expect(JSON.stringify(told[at])).not.toContain(page)
  })
})

describe('a webhook', () => {
  it('[NO25] is signed over its time and its bytes, and told of what is over, too', async () => {
    const server = await serve()
    const channel = webhookChannel({ url: server.url('/x'), secret: SECRET, now: () => NOW })
    await channel.send(message, never)
    await channel.withdraw?.(message, undefined, never)
    for (const { headers, body } of server.asked) {
      expect(headers['x-vigil-timestamp']).toBe(String(NOW / 1000))
      const signature = signatureOf(SECRET, String(NOW / 1000), body)
      expect(headers['x-vigil-signature']).toBe(`sha256=${signature}`)
    }
    const [sent, back] = server.asked.map(({ body }) => JSON.parse(body))
    expect(sent).toMatchObject({ event: 'notify', id: 'id-1', title: message.title, urgent: true })
    expect(sent.sessions).toMatchObject([{ id: 'session-1', state: 'waiting', for: 'permission' }])
    expect(back).toMatchObject({ event: 'withdraw', id: 'id-1' })
    expect(JSON.stringify(sent)).not.toMatch(/cwd|tmux|places|\/home/)
  })

  it('[NO25] the signature is the one everybody computes', () => {
    // As `printf '1.{}' | openssl dgst -sha256 -hmac key` gives it.
    const known = '1ba6b8171186efc613e8bcc0cbdab2748f24984d7c5a84faa2637afa0e40d224'
    expect(signatureOf('key', '1', '{}')).toBe(known)
  })
})

describe('Slack and Discord', () => {
  const sly = sessionWith({
    title: '<!channel> *x* @everyone',
    request: { tool: 'Bash', text: '[a](https://x) <https://evil|good> `b` @here', at: 0 },
  })
  const mean = messageOf('id-2', NOW, [sly], { hideSecrets: true })

  it('[NO11] an agent’s text mentions no user and formats nothing', async () => {
    const server = await serve(says(200, 'ok'), says(200, '{"id":"123"}'))
    await slackChannel({ url: server.url('/services/T/B/x') }).send(mean, never)
    await discordChannel({ url: server.url('/api/webhooks/1/x') }).send(mean, never)
    const [slack, discord] = server.asked.map(({ body }) => JSON.parse(body))
    expect(slack.text).toContain('&lt;!channel&gt;')
    expect(slack.text.slice(1)).not.toMatch(/[<>]|@everyone|@here/)
    expect(discord.content).toContain('\\<!channel')
    expect(discord.content).not.toMatch(/[^\\][@[<`]/)
    expect(discord.allowed_mentions).toEqual({ parse: [] })
  })

  it('[NO23] Discord takes a message back by the id it gave for it', async () => {
    const server = await serve(says(200, '{"id":"123"}'), says(204), says(200, '{"id":"../x"}'))
    const channel = discordChannel({ url: server.url('/api/webhooks/1/x?thread_id=7') })
    expect(await channel.send(message, never)).toBe('123')
    await channel.withdraw?.(message, '123', never)
    expect(await channel.send(message, never)).toBeUndefined()
    expect(server.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/webhooks/1/x?thread_id=7&wait=true',
      'DELETE /api/webhooks/1/x/messages/123?thread_id=7',
      'POST /api/webhooks/1/x?thread_id=7&wait=true',
    ])
  })
})

describe('a server', () => {
  const slackAt = (url: string): Channel => slackChannel({ url })

  it.each([
    [400, false],
    [403, false],
    [404, false],
    [301, false],
    [408, true],
    [429, true],
    [500, true],
    [503, true],
  ])('[NO24] that answers %i is tried again: %s', async (status, isPassing) => {
    const server = await serve(says(status, 'no', { location: 'http://127.0.0.1:1/' }))
    const error = await errorOf(slackAt(server.url('/services/secret')).send(message, never))
    expect(error).toMatchObject({ isPassing })
    expect(error?.message).toMatch(new RegExp(`^127\\.0\\.0\\.1:\\d+ answered ${status}$`))
    expect(server.asked).toHaveLength(1)
  })

  it('[NO24] may say when to ask again, in seconds or as a date', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString()
    const busy = (value: string) => says(429, '', { 'retry-after': value })
    const server = await serve(busy('7'), busy('0.5'), busy(date), busy('soon'))
    const times: (number | undefined)[] = []
    for (let n = 0; n < 4; n++)
      times.push((await errorOf(slackAt(server.url('/')).send(message, never)))?.afterMs)
    expect(times.slice(0, 2)).toEqual([7_000, 500])
    expect(times[2]).toBeGreaterThan(50_000)
    expect(times[3]).toBeUndefined()
  })

  it('[NO24] that is not there, or hangs up, is tried again, and no address is shown', async () => {
    const server = await serve(hangsUp)
    const gone = await loopback()
    gone.close()
    for (const url of [server.url('/services/secret'), gone.url('/services/secret')]) {
      const error = await errorOf(slackAt(url).send(message, never))
      expect(error).toMatchObject({ name: 'ChannelError', isPassing: true })
      expect(error?.message).not.toContain('secret')
    }
  })

  it('[NO24] that never ends its answer is not read to the end', async () => {
    const server = await serve(floods)
    await slackAt(server.url('/')).send(message, never)
  })

  it.each([
    ['says nothing', hangs],
    ['stops in the middle of its answer', stalls],
  ])('[NO20] that %s is cut off, and the next try succeeds', async (_, answer) => {
    const server = await serve(answer)
    const troubles: (string | undefined)[] = []
    const lane = new ChannelQueue({
      channel: slackAt(server.url('/')),
      onTrouble: (what) => troubles.push(what),
      cutOffMs: 1_000,
      waitsMs: [50],
    })
    expect(cpuMs(() => lane.send(message))).toBeLessThan(50)
    await until('it is reported', () => troubles.at(-1) === undefined && troubles.length > 0)
    expect(troubles).toEqual(['gave no answer within 1 s; tried 1×, vigil tries again', undefined])
    expect(server.asked).toHaveLength(2)
    lane.close()
  })

  it('[NO21] that is busy is asked again when it said', async () => {
    const server = await serve(says(429, '', { 'retry-after': '1' }))
    const done: (string | undefined)[] = []
    const lane = new ChannelQueue({
      channel: slackAt(server.url('/')),
      onTrouble: (what) => done.push(what),
      waitsMs: [10],
    })
    const began = performance.now()
    lane.send(message)
    await until('it is reported', () => done.at(-1) === undefined && done.length > 0)
    expect(performance.now() - began).toBeGreaterThan(990)
    lane.close()
  })
})
