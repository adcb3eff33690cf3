import { randomBytes } from 'node:crypto'
import { hostname, networkInterfaces } from 'node:os'
import { newMachineKeys } from '../../fleet/keys.ts'
import { newRoster, sealRoster } from '../../fleet/roster.ts'
import type { FleetState } from '../../fleet/state.ts'
import { type FleetServe, SERVER_NAME } from '../../protocol/fleet.ts'
import { listenAddress, newCertificate, serverFolder } from './host.ts'
import { certificateIn, loginBy } from './joining.ts'

const FLEET_ID_BYTES = 8

export interface NewFleet {
  readonly machine: string
  readonly name: string
  readonly now: number
  readonly urls: readonly string[]
  readonly ca: string | null
  readonly creds: string | null
  readonly serve: FleetState['serve']
  readonly allowOldServer: boolean
}

/** The state of a machine that founds a fleet and is its only member. */
export function foundedState(wanted: NewFleet): FleetState {
  const { machine, name, now } = wanted
  const keys = newMachineKeys()
  const fleet = randomBytes(FLEET_ID_BYTES).toString('hex')
  const founder = { machine, name, signKey: keys.signPublic, boxKey: keys.boxPublic, joinedAt: now }
  const { roster, groupKey } = newRoster(fleet, founder)
  return {
    fleet,
    machine,
    keys,
    founder: machine,
    founderKey: keys.signPublic,
    isFounder: true,
    urls: [...wanted.urls],
    tls: wanted.ca,
    creds: wanted.creds,
    serve: wanted.serve,
    allowOldServer: wanted.allowOldServer,
    groupKeys: { [roster.epoch]: groupKey.toString('base64url') },
    roster: sealRoster(roster, keys, now).toString('base64url'),
    rights: {},
    lookKey: null,
    revCeiling: 0,
    invites: [],
  }
}

/** SPEC FL79. The same, on a server that its user runs; `ca` is the path of a certificate. */
export async function foundedOnOwn(
  self: Omit<NewFleet, 'ca' | 'urls' | 'serve'>,
  urls: readonly string[],
  ca: string | null,
): Promise<FleetState> {
  // A file that cannot be used is found before anything is asked.
  if (self.creds !== null) loginBy(self.creds)
  return foundedState({ ...self, urls, serve: null, ca: ca === null ? null : certificateIn(ca) })
}

const NO_TLS = 'TLS is off: texts are encrypted all the same, names of machines and times are not'
const REBOOT =
  'the server runs while the daemon does; to start both after a reboot: `vigil service install` ' +
  'and, on Linux, `loginctl enable-linger`'

/** SPEC FL143. The same with a server on this machine, and what its user should know of it. */
export async function servedState(
  wanted: FleetServe,
  data: string,
  machine: string,
  now: number,
): Promise<{ readonly state: FleetState; readonly notes: readonly string[] }> {
  const { host, port } = listenAddress(wanted.listen)
  const names = wanted.names.length > 0 ? wanted.names : hostNames(host, networkInterfaces())
  const tls = wanted.tls ? await newCertificate(serverFolder(data), names) : NO_TLS
  const isPlain = typeof tls === 'string'
  const state = foundedState({
    ...{ machine, name: hostname(), now, creds: null },
    urls: names.map((name) => `nats://${name.includes(':') ? `[${name}]` : name}:${port}`),
    ca: isPlain ? null : tls.ca,
    allowOldServer: wanted.allowOldServer,
    serve: { host, port: String(port), ...(!isPlain && tls.files) },
  })
  return { state, notes: isPlain ? [tls, REBOOT] : [REBOOT] }
}

/** The others try one after another. */
const NAMES_MAX = 8

/** Of containers and virtual machines: every machine has them, with the same addresses. */
const BRIDGE = /^(docker|br-|veth|virbr|lxc|lxd|cni|flannel|podman)/

/**
 * SPEC FL143. Under which names others reach this machine, if its user gave none: its host name,
 * which not every network knows, and its addresses.
 */
export function hostNames(
  host: string,
  interfaces: ReturnType<typeof networkInterfaces>,
  own = hostname(),
): readonly string[] {
  if (host !== '0.0.0.0' && host !== '::') return [host]
  const outward = Object.entries(interfaces).filter(([name]) => !BRIDGE.test(name))
  const found = outward.flatMap(([, some]) => some ?? [])
  const far = found.filter(({ internal, family }) => !internal && family === 'IPv4')
  const addresses = far.map(({ address }) => address)
  const named = [own, ...addresses].filter((name) => SERVER_NAME.test(name))
  return [...new Set(named)].slice(0, NAMES_MAX)
}
