import type { Mutant } from './mutants.ts'

const TUNNELS = 'src/daemon/browsers/tunnels.ts'
const TUNNEL = 'test/origin/tunnel.test.ts'

/** Other devices and other machines, broken one at a time. */
export const SHARE_MUTANTS: readonly Mutant[] = [
  {
    breaks: 'a tunnel is answered to at the socket of shared addresses',
    file: 'src/daemon/api-servers.ts',
    find: 'shared: () => shared.addresses(),',
    replace: 'shared: () => [...shared.addresses(), ...tunnels.origins().map(addressAt)],',
    test: TUNNEL,
    caughtBy: 'OC10',
  },
  {
    breaks: 'the keys of a tunnel outlive it',
    file: TUNNELS,
    find: '    this.#forget((one) => one === origin)\n',
    replace: '',
    test: TUNNEL,
    caughtBy: 'OC10',
  },
  {
    breaks: 'a tunnel outlives its command',
    file: TUNNELS,
    find: 'await aborted(AbortSignal.any([gone, over.signal]))',
    replace: 'await aborted(AbortSignal.any([over.signal]))',
    test: TUNNEL,
    caughtBy: 'OC10',
  },
  {
    breaks: 'the name of a tunnel is used again',
    file: TUNNELS,
    find: "if (this.#used.has(name)) throw new Problem(409, USED, 'body.name')",
    replace: 'void USED',
    test: TUNNEL,
    caughtBy: 'OC10',
  },
  {
    breaks: 'every tunnel has the same address',
    file: 'src/surfaces/cli/share-ssh.ts',
    find: "randomBytes(16).toString('hex')",
    replace: "randomBytes(16).toString('hex').replaceAll(/./g, '0')",
    test: TUNNEL,
    caughtBy: 'OC10',
  },
  {
    breaks: 'a restart signs out a browser of a tunnel',
    file: TUNNELS,
    find: '    if (this.#isClosing) return\n',
    replace: '',
    test: TUNNEL,
    caughtBy: 'OC10',
  },
  {
    breaks: 'the page’s own address is answered to at the socket of shared ones',
    file: 'src/daemon/api/server.ts',
    find: 'pageEndpoint(token, options, shared))',
    replace: `pageEndpoint(token, options, () => {
      const origin = tcp?.origin ?? 'http://none'
      return [...shared(), { host: new URL(origin).host, origin }]
    }))`,
    test: 'test/api/attack-endpoints.test.ts',
    caughtBy: 'OC5',
  },
  {
    breaks: 'a plain http address can be shared',
    file: 'src/home/origin.ts',
    find: "if (protocol === 'http:')",
    replace: "if (protocol === 'file:')",
    test: 'src/home/origin.test.ts',
    caughtBy: 'DR11',
  },
  {
    breaks: 'an address that is no longer shared is still let in',
    file: 'src/daemon/browsers/shared.ts',
    find: '      this.#addresses = addressesIn(changed)\n',
    replace: '      this.#addresses = [...this.#addresses, ...addressesIn(changed)]\n',
    test: 'test/commands/open.test.ts',
    caughtBy: 'DR11',
  },
  {
    breaks: 'a browser of an address that is no longer shared goes on reading',
    file: 'src/daemon/api-servers.ts',
    find: '!hosts.includes(host)',
    replace: "host === ''",
    test: 'test/commands/open.test.ts',
    caughtBy: 'DR9',
  },
  {
    breaks: 'the picture for a phone holds no code',
    file: 'src/surfaces/cli/share.ts',
    find: '...qrLines(address, { colours })',
    replace: '...qrLines(origin, { colours })',
    test: 'test/commands/open.test.ts',
    caughtBy: 'DR13',
  },
  {
    breaks: 'the doctor does not say under which addresses the page is let in',
    file: 'src/surfaces/cli/doctor/page.ts',
    find: "origins.length === 0 ? ''",
    replace: "origins.length < 9 ? ''",
    test: 'test/commands/open.test.ts',
    caughtBy: 'DR15',
  },
]
