import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { AdminPolicy } from '../../src/home/policy.ts'
import { NotifySender } from '../../src/surfaces/notify/sender.ts'
import { natsServerOf } from '../../tools/fleet/servers.ts'
import { DaemonHome, OWN, turn, until } from '../support/daemon.ts'
import { A_LOOP, BY_USER, LoopRig } from '../support/loops.ts'
import { freePort, noNats } from '../support/nats.ts'
import { describeUnless, itUnless } from '../support/needs.ts'
import { programFolder } from '../support/program-folder.ts'

/** Root of a namespace: there /etc can be another. */
const MEANS = [
  ['unshare', '--mount'],
  ['unshare', '--user', '--map-root-user', '--mount'],
].find(([program = '', ...args]) => {
  const script = 'mount -t tmpfs none "$0" && mount --bind "$0" /etc'
  return spawnSync(program, [...args, 'sh', '-ec', script, tmpdir()]).status === 0
})

const noPolicy = MEANS ? undefined : '/etc cannot be mounted over'

const OTHER_USER = 65_534

const SCRIPT =
  'mount -t tmpfs none "$0"; cp -a /etc/. "$0" 2>/dev/null || true; mkdir -p -m 755 "$0/vigil"; ' +
  'mount --bind "$0" /etc; echo ready; exec cat'

describeUnless(noPolicy)('the real daemon under a real /etc/vigil/policy.json', () => {
  const place = mkdtempSync(join(tmpdir(), 'vigil-etc-'))
  const programs = programFolder()
  let holder: ReturnType<typeof spawn>
  let home: DaemonHome
  let etc = ''
  const id = `${OWN}one`

  beforeAll(async () => {
    const [program = '', ...args] = MEANS ?? []
    const stdio: ['pipe', 'pipe', 'inherit'] = ['pipe', 'pipe', 'inherit']
    holder = spawn(program, [...args, 'sh', '-ec', SCRIPT, place], { stdio })
    await once(holder.stdout ?? holder, 'data')
    const spaces = args.includes('--user') ? ['--user', '--preserve-credentials'] : []
    const enter = ['nsenter', '--target', `${holder.pid}`, ...spaces, '--mount', '--']
    etc = join('/proc', `${holder.pid}`, 'root', 'etc', 'vigil')
    home = new DaemonHome({ enter })
    const server = natsServerOf('2.15.1')
    if (server) copyFileSync(server, join(programs, 'nats-server'))
    home.env.PATH = [programs, home.env.PATH].join(delimiter)
    await home.start()
    home.write(turn('one', 1))
    await home.taken()
  })
  afterAll(async () => {
    await home.end()
    holder.stdin?.end()
    await once(holder, 'exit')
    for (const folder of [place, programs]) rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(() => rmSync(join(etc, 'policy.json'), { force: true }))

  const says = (text: string, mode = 0o644) => {
    writeFileSync(join(etc, 'policy.json'), text)
    chmodSync(join(etc, 'policy.json'), mode)
  }
  const starts = () => home.run(['loop', 'start', id, '--prompt', 'x'])
  const forbids = (what: string) =>
    `vigil: the administrator does not allow ${what} (/etc/vigil/policy.json)\n`

  it('[WD23] loops: none is started or resumed, and one that goes on can be stopped', async () => {
    expect((await starts()).code).toBe(0)
    says('{ "loops": false }')
    for (const args of [
      ['start', id, '--prompt', 'x'],
      ['resume', id],
    ]) {
      const { code, stderr } = await home.run(['loop', ...args])
      expect([code, stderr]).toEqual([1, forbids('loops')])
    }
    expect((await home.run(['loop', 'stop', id])).code).toBe(0)
    rmSync(join(etc, 'policy.json'))
    expect((await starts()).code).toBe(0)
  })

  it('[WD23] typing, channels and sharing: each is refused with its sentence', async () => {
    says('{ "typing": false, "channels": false, "sharing": false }')
    const refused = async (...args: string[]) => {
      const { code, stdout, stderr } = await home.run(args)
      expect([code === 0, stdout]).toEqual([false, ''])
      return stderr
    }
    expect(await refused('typing', id, 'on')).toBe(forbids('typing into sessions'))
    expect(await refused('share', 'add', 'https://x.example')).toBe(forbids('sharing the page'))
    const channel = ['notify', 'channel', 'add', 'ntfy', 'https://ntfy.sh/x']
    expect(await refused(...channel)).toBe(forbids('channels that send messages to other machines'))
    expect((await home.run(['notify', 'channel', 'add', 'desktop'])).code).toBe(0)
  })

  it('[WD23] answering: what is asked says why it is not answered; no hook waits', async () => {
    await until('hooks would wait', () => home.hooksWait())
    says('{ "answering": false }')
    await home.run(['answers', 'off'])
    await until('none waits', () => !home.hooksWait())
    await home.run(['answers', 'on'])
    home.write({ ...turn('one', 2, 'PermissionRequest'), tool_name: 'Bash', tool_input: {} })
    await until('it asks', async () => (await home.client.requests()).requests.length === 1)
    expect(home.hooksWait()).toBe(false)
    const [request] = (await home.client.requests()).requests
    expect(request?.why).toContain('the administrator does not allow answering agents from here')
    const answer = { choice: 'allow', where: 'cli' } as const
    await expect(home.client.answer(request?.id ?? '', answer)).rejects.toThrow(/administrator/)
  })

  it('[WD20] no variable of the user moves it', async () => {
    says('{ "sharing": false }')
    const elsewhere = join(home.path, 'etc', 'vigil')
    mkdirSync(elsewhere, { recursive: true })
    const file = join(elsewhere, 'policy.json')
    writeFileSync(file, '{}', { mode: 0o644 })
    Object.assign(home.env, { VIGIL_POLICY: file, XDG_CONFIG_DIRS: join(home.path, 'etc') })
    const { stderr } = await home.run(['share', 'add', 'https://x.example'])
    expect(stderr).toBe(forbids('sharing the page'))
  })

  itUnless(noNats('2.15.1'))('[FL180] where fleets are forbidden, it is in none', async () => {
    const listen = `127.0.0.1:${await freePort()}`
    const wanted = { listen, tls: false, names: ['127.0.0.1'], allowOldServer: false }
    await home.client.serveFleet(wanted)
    const { fleet } = await home.client.fleet()
    const seen = () => home.client.fleet()
    says('{ "fleet": false }')
    await until('it is not connected', async () => (await seen()).fleet === null, 12_000)
    expect((await seen()).troubles).toEqual([expect.stringContaining('does not allow fleets')])
    await expect(home.client.serveFleet(wanted)).rejects.toThrow('does not allow fleets')
    rmSync(join(etc, 'policy.json'))
    // It is a member still: another fleet must not take the place of its own.
    await expect(home.client.serveFleet(wanted)).rejects.toThrow('belongs to a fleet')
    await until('it is back', async () => (await seen()).server?.connected === true, 25_000)
    expect(await seen()).toMatchObject({ fleet, troubles: [] })
    await home.client.leaveFleet()
  })

  it('[WD21][WD24] doctor and health show what is in force, and what is wrong', async () => {
    const finding = async () => /^.*policy +(.*)$/m.exec((await home.run(['doctor'])).stdout)?.[1]
    expect(await finding()).toBe('everything is allowed: no /etc/vigil/policy.json')
    says('{ "loops": false, "fleet": false }')
    expect(await finding()).toBe('not allowed: loops, fleet (/etc/vigil/policy.json)')
    expect((await home.client.health()).policy).toMatchObject({
      state: 'in force',
      allowed: { loops: false, fleet: false, typing: true },
    })
    says('{ "lops": false }')
    expect(await finding()).toContain('nothing is allowed: /etc/vigil/policy.json: "lops": no such')
    says('{}', 0o666)
    expect(await finding()).toContain('it can be written by other users')
    expect((await starts()).stderr).toContain('loops: not allowed, because the policy is broken')
    if (process.getuid?.() !== 0) return
    says('{}')
    chownSync(join(etc, 'policy.json'), OTHER_USER, OTHER_USER)
    expect(await finding()).toContain(`it belongs to user ${OTHER_USER}, not 0`)
  })
})

/** A channel without a network sends in the next turn of the event loop. */
const SENT_WITHIN_MS = 50

describe('what the policy forbids', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'vigil-policy-')), 'vigil')
  mkdirSync(folder, { mode: 0o755 })
  const file = join(folder, 'policy.json')
  const policy = new AdminPolicy({ file, owner: process.getuid?.() ?? 0 })
  afterAll(() => rmSync(join(folder, '..'), { recursive: true }))

  it('[WD23] a loop that goes on ends with its next Stop', async () => {
    writeFileSync(file, '{}')
    const rig = new LoopRig({ policy })
    rig.prompt('one')
    await rig.start('one')
    expect((await rig.stop('one')).act).toBe('block')
    writeFileSync(file, '{"loops": false}')
    expect((await rig.stop('one')).act).toBe('allow')
    await expect(rig.loops.start({ ...A_LOOP, session: 'one' }, BY_USER)).rejects.toThrow(/admin/)
  })

  it('[WD23] a channel that was added before sends nothing more', async () => {
    writeFileSync(file, '{}')
    const sent: string[] = []
    const courier = new NotifySender({
      make: ({ name }) => ({ send: async () => void sent.push(name), withdraws: false }) as never,
      onTrouble: () => {},
      now: Date.now,
      mayLeave: () => policy.allows('channels'),
    })
    const common = { afterMin: 0, always: false, secrets: false }
    const url = 'https://x.example/'
    courier.use([
      { ...common, name: 'away', kind: 'slack', url },
      { ...common, name: 'here', kind: 'desktop' },
    ] as never)
    const carry = async () => {
      courier.carry([
        { do: 'send', channel: 'away', id: '1', sessions: [] },
        { do: 'send', channel: 'here', id: '1', sessions: [] },
      ] as never)
      await sleep(SENT_WITHIN_MS)
    }
    await carry()
    writeFileSync(file, '{"channels": false}')
    await carry()
    courier.close()
    expect(sent.toSorted()).toEqual(['away', 'here', 'here'])
  })
})
