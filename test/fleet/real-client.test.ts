import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Client } from '../../lab/drive/client.ts'
import { openStage, type Stage } from '../../lab/drive/stage.ts'
import { hold, pause, say, script } from '../../lab/model/script.ts'
import { PERMISSION, TOUCH } from '../../lab/scripts/common.ts'
import { COMMAND } from '../../src/client/start.ts'
import { CODE_CACHE } from '../support/code-cache.ts'
import { DaemonHome, Running, until } from '../support/daemon.ts'
import { describeUnless } from '../support/needs.ts'
import { NetworkFleet, NetworkMachine, NO_FLEETS } from './networked.ts'

const RELAY = fileURLToPath(new URL('../support/codex/relay.js', import.meta.url))

const talk = script('from another machine')
  .on('touch', TOUCH)
  .next(say('All done.'))
  .on('refuse', TOUCH)
  .next(say('Another way then.'))
  .on('count the files', say('There are three of them.'))
  .on('think it over', pause(200), say('Let me see'), hold(), say('never said'))

describeUnless(NO_FLEETS)('the real client on another machine', () => {
  let fleet: NetworkFleet
  let stage: Stage
  let model: Server
  let relay: Running
  let desk: NetworkMachine
  let cloud: NetworkMachine
  let client: Client
  let session = ''
  let address = ''

  beforeAll(async () => {
    fleet = new NetworkFleet()
    const env = ({ root }: { root: string }) => ({ VIGIL_HOME: join(root, 'vigil'), ...CODE_CACHE })
    stage = await openStage(talk, { env })
    const { root, home } = stage.place
    const link = fleet.network.add('cloud')
    const daemon = new DaemonHome({ path: join(root, 'vigil'), enter: link.enter })
    daemon.env.HOME = home
    cloud = await fleet.machines.begin(new NetworkMachine(link, daemon))
    desk = await fleet.start('desk')
    await desk.begins()
    await cloud.joins(desk)
    const { code, stderr } = await stage.run([process.execPath, COMMAND, 'install'])
    expect([code, stderr]).toEqual([0, ''])
    ;[model, relay] = await relayed(stage, link.enter)
    const command = [...link.enter, 'claude', '--permission-mode', 'default']
    client = new Client(await stage.open(command))
    await client.ready()
    const own = async () => {
      const { sessions } = await cloud.client.sessions()
      return sessions.find(
        ({ own, cwd, id }) => own && cwd === stage.place.project && !/:/.test(id),
      )
    }
    await until('it is known', async () => (await own())?.state === 'idle')
    session = (await own())?.id ?? ''
    address = `cloud/${session}`
  })
  afterAll(async () => {
    await fleet?.end()
    await relay?.kill()
    model?.close()
    await stage?.end()
  })

  const seen = async () => {
    const { sessions } = await desk.client.sessions()
    return sessions.find(({ machine, id }) => machine === cloud.id && id === session)
  }
  const shows = (state: string) =>
    until(`it is shown as ${state}`, async () => (await seen())?.state === state)
  const asked = async (prompt: string) => {
    await client.submit(prompt)
    await client.pane.sees(PERMISSION)
    await until('it asks on the other machine', async () => (await seen())?.asks.length === 1)
  }

  it('[FL122] is allowed and denied from there by the command line', async () => {
    await asked('touch it')
    expect(await desk.answers(cloud, session, 'allow')).toContain('allowed')
    await client.pane.sees(/All done\./)
    expect(existsSync(join(stage.place.project, 'made.txt'))).toBe(true)
    await shows('idle')
    await asked('refuse it')
    await desk.answers(cloud, session, 'deny', '--word', 'not so')
    await client.pane.sees(/Another way then/)
    const { acts } = await cloud.client.audit()
    const answers = acts.filter(({ what }) => what === 'answer')
    expect(answers.map(({ who }) => who.includes(desk.id))).toEqual([true, true])
  })

  it('[FL27] [FL120] is typed to and interrupted from there with the right alone', async () => {
    await shows('idle')
    const refused = async (...args: readonly string[]) => (await desk.tries(...args)).stderr
    expect(await refused('say', address, 'count the files')).toMatch(
      /may look and answer|not to type/,
    )
    await cloud.vigil('fleet', 'allow', 'desk', 'type')
    expect(await refused('say', address, 'count the files')).toContain('typing is off')
    await cloud.vigil('typing', address, 'on')
    await desk.vigil('say', address, 'count the files')
    await client.pane.sees(/There are three of them\./)
    await shows('idle')
    await client.submit('think it over')
    await client.pane.sees(/Let me see/)
    await shows('working')
    await cloud.vigil('fleet', 'allow', 'desk', 'answer')
    expect((await desk.tries('interrupt', address)).code).not.toBe(0)
    await shows('working')
    await cloud.vigil('fleet', 'allow', 'desk', 'type')
    expect(await desk.vigil('interrupt', address)).toContain('interrupted')
    await client.pane.sees(/Interrupted/)
    await shows('idle')
  })
})

/** The model of the stage under its own address, on that machine's loopback. */
async function relayed(stage: Stage, enter: readonly string[]): Promise<[Server, Running]> {
  const { port } = new URL(stage.model.url)
  const [socket, file] = ['model.sock', 'port'].map((name) => join(stage.place.root, name))
  const server = createServer((from) => {
    const to = connect(Number(port), '127.0.0.1')
    from.pipe(to).pipe(from)
    from.on('error', () => to.destroy())
    to.on('error', () => from.destroy())
  })
  await new Promise<void>((resolve) => server.listen(socket, resolve))
  const [program = '', ...args] = [
    ...enter,
    process.execPath,
    RELAY,
    socket ?? '',
    file ?? '',
    port,
  ]
  const relay = new Running(spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] }))
  await until('the relay listens', () => existsSync(file ?? ''))
  return [server, relay]
}
