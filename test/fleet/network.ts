import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** What this machine lacks for networks of a test; undefined if it can make them. */
export const NO_NETWORKS = missing()

const SPACES = '/run/netns'
const PREFIX = 'vigil-test'
const BRIDGE = 'bridge'
/** For tests of networks alone; no route leads there or out. */
const SUBNET = '10.77.0'

let made = 0

/**
 * Network namespaces joined by a virtual bridge, which is in a namespace of its own: no machine
 * has a route to anything else.
 */
export class TestNetwork {
  readonly #name = `${PREFIX}-${process.pid}-${++made}`
  readonly #switch = `${this.#name}-switch`
  readonly #spaces: string[] = []

  constructor() {
    this.#addSpace(this.#switch)
    removeLeftovers()
    ip('-n', this.#switch, 'link', 'add', BRIDGE, 'type', 'bridge')
    ip('-n', this.#switch, 'link', 'set', BRIDGE, 'up')
  }

  /** A machine with its own network and host name, and loopback. */
  add(host: string): Link {
    const number = this.#spaces.length
    const space = `${this.#name}-${number}`
    this.#addSpace(space)
    const port = `port${number}`
    const pair = ['type', 'veth', 'peer', 'name', OWN_END, 'netns', space]
    ip('-n', this.#switch, 'link', 'add', port, ...pair)
    const address = `${SUBNET}.${number}`
    ip('-n', space, 'address', 'add', `${address}/24`, 'dev', OWN_END)
    ip('-n', space, 'link', 'set', OWN_END, 'up')
    ip('-n', this.#switch, 'link', 'set', port, 'master', BRIDGE, 'up')
    return new Link(host, address, { space, switch: this.#switch, port })
  }

  /** Processes in it end before: a namespace lives as long as one is there. */
  end(): void {
    for (const space of this.#spaces.splice(0)) removeSpace(space)
  }

  #addSpace(space: string): void {
    ip('netns', 'add', space)
    this.#spaces.push(space)
    ip('-n', space, 'link', 'set', 'lo', 'up')
  }
}

const OWN_END = 'eth0'

interface Ends {
  readonly space: string
  readonly switch: string
  readonly port: string
}

export interface Impairment {
  readonly lossPercent: number
  readonly delayMs: number
}

/** A machine's link to the bridge. */
export class Link {
  readonly host: string
  readonly address: string
  /** Placed before a command: runs it on this machine. */
  readonly enter: readonly string[]
  readonly #ends: Ends

  constructor(host: string, address: string, ends: Ends) {
    this.host = host
    this.address = address
    this.#ends = ends
    const named = `echo ${host} > /proc/sys/kernel/hostname; exec "$@"`
    const inside = ['nsenter', `--net=${join(SPACES, ends.space)}`]
    this.enter = [...inside, 'unshare', '--uts', 'sh', '-c', named, 'sh']
  }

  /** Nothing arrives, and neither side notices: its own end stays up. */
  cut(): void {
    ip('-n', this.#ends.switch, 'link', 'set', this.#ends.port, 'nomaster')
  }

  mend(): void {
    ip('-n', this.#ends.switch, 'link', 'set', this.#ends.port, 'master', BRIDGE)
  }

  /** What is sent in either direction is slowed and lost. */
  impair(how: Impairment): void {
    for (const [space, device] of this.#devices()) impair(space, device, how)
  }

  /** How many packets `impair` dropped, in both directions. */
  dropped(): number {
    const counts = this.#devices().map(([space, device]) => {
      const said = execFileSync('tc', ['-n', space, '-s', 'qdisc', 'show', 'dev', device], UTF8)
      const shown = HAS_NETEM
        ? said
        : (said.split(/^qdisc /m).find((one) => one.startsWith('clsact')) ?? '')
      return Number(/dropped (\d+)/.exec(shown)?.[1])
    })
    return counts.reduce((sum, count) => sum + count, 0)
  }

  repair(): void {
    for (const [space, device] of this.#devices()) {
      tc(space, 'qdisc', 'del', 'dev', device, 'root')
      if (!HAS_NETEM) tc(space, 'qdisc', 'del', 'dev', device, 'clsact')
    }
  }

  #devices(): readonly (readonly [string, string])[] {
    const { space, switch: bridge, port } = this.#ends
    return [
      [space, OWN_END],
      [bridge, port],
    ]
  }
}

/** Some kernels are built without it. */
export const HAS_NETEM =
  NO_NETWORKS === undefined && answers('tc qdisc add dev lo root netem delay 1ms')

/**
 * Without netem a token bucket makes a full packet take as long, and a filter of four instructions
 * (a random number, its rest, drop or pass) drops as many.
 */
function impair(space: string, device: string, { lossPercent, delayMs }: Impairment): void {
  const root = ['qdisc', 'replace', 'dev', device, 'root']
  if (HAS_NETEM) {
    tc(space, ...root, 'netem', 'delay', `${delayMs}ms`, 'loss', `${lossPercent}%`)
    return
  }
  const rate = Math.ceil((PACKET_BITS * 1_000) / delayMs)
  tc(space, ...root, 'tbf', 'rate', `${rate}bit`, 'burst', '1600', 'latency', '4s')
  tc(space, 'qdisc', 'replace', 'dev', device, 'clsact')
  const code = `5,32 0 0 ${RANDOM},148 0 0 100,53 1 0 ${lossPercent},6 0 0 ${DROP},6 0 0 ${PASS}`
  tc(space, 'filter', 'add', 'dev', device, 'egress', 'bpf', 'bytecode', code, 'direct-action')
}

const UTF8 = { encoding: 'utf8' } as const
const PACKET_BITS = 1_500 * 8
/** Where a filter of packets finds a random number: SKF_AD_OFF + SKF_AD_RANDOM. */
const RANDOM = 0xff_ff_f0_38
const DROP = 2
const PASS = 0

function ip(...args: readonly string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] })
}

function tc(space: string, ...args: readonly string[]): void {
  execFileSync('tc', ['-n', space, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
}

function removeSpace(space: string): void {
  execFileSync('ip', ['netns', 'del', space], { stdio: 'ignore' })
}

/** Of test processes that were killed. */
function removeLeftovers(): void {
  for (const space of readdirSync(SPACES, { encoding: 'utf8' })) {
    const [, pid] = new RegExp(`^${PREFIX}-(\\d+)-`).exec(space) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) removeSpace(space)
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function missing(): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root'
  if (!answers('tc -V')) return 'tc of iproute2 is not installed'
  if (!answers('ip link add probe type bridge')) return 'no network of its own can be made'
  return undefined
}

function answers(line: string): boolean {
  try {
    execFileSync('unshare', ['--net', 'sh', '-c', line], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
